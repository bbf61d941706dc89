# Run by np_embed_file: INPUT (text file), OUTPUT (header), SYMBOL. Escaped bytes, 16 to a line: any content is safe.
file(READ ${INPUT} hex HEX)
string(REPEAT "[0-9a-f]" 32 line)
string(REGEX REPLACE "(${line})" "\\1\"\n\"" hex "${hex}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "\\\\x\\1" hex "${hex}")
get_filename_component(name ${INPUT} NAME)
file(WRITE ${OUTPUT} "// Generated from ${name}.\n#pragma once\ninline constexpr char ${SYMBOL}[] =\n\"${hex}\";\n")
