# np_embed_file(TARGET INPUT HEADER SYMBOL): makes `inline constexpr char SYMBOL[]` of a text file, in the generated
# header HEADER (path as included). Data and documents are read from the binary, so users need no files beside it.
function(np_embed_file target input header symbol)
  set(output ${CMAKE_BINARY_DIR}/generated/${header})
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DINPUT=${CMAKE_CURRENT_SOURCE_DIR}/${input} -DOUTPUT=${output} -DSYMBOL=${symbol} -P
            ${CMAKE_SOURCE_DIR}/cmake/embed_file_script.cmake
    DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${input} ${CMAKE_SOURCE_DIR}/cmake/embed_file_script.cmake)
  target_sources(${target} PRIVATE ${output})
  target_include_directories(${target} PRIVATE ${CMAKE_BINARY_DIR}/generated)
endfunction()
