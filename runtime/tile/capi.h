/* C interface of libneuron_port_tile.so, for ctypes. Strings returned are owned by the caller: free with np_tile_free.
   An error string says what to do; NULL means success. */
#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct np_tile_program np_tile_program;

/* Parses Tile IR text and instantiates it; `sizes` is "M=3 N=67", or NULL for flat text. NULL and *error on failure. */
np_tile_program* np_tile_load(const char* text, const char* sizes, char** error);
void np_tile_release(np_tile_program* program);
void np_tile_free(char* text);

/* The instruction table, a line each: "memset dst:view:required value:number:required engine:engine:optional". */
char* np_tile_schema(void);
/* Canonical flat text. */
char* np_tile_text(const np_tile_program* program);
/* Rules broken on target "trn2" or "trn3", one a line; NULL if legal. */
char* np_tile_verify(const np_tile_program* program, const char* target);
/* Runs on dense arrays, in the order of the program's inputs and outputs. NULL, or the error. The program must verify.
 */
char* np_tile_run(const np_tile_program* program, const void* const* inputs, const size_t* input_bytes,
                  size_t input_count, void* const* outputs, const size_t* output_bytes, size_t output_count);
/* JSON: low_us, estimate_us, high_us, bound, dma_bytes, dma_count, instructions, busy_us{}, roofline_us{dma,tensor}. */
char* np_tile_cost(const np_tile_program* program, const char* target, char** error);

#ifdef __cplusplus
}
#endif
