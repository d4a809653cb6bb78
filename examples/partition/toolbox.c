/* Toolbox: what a library of everyday tools does, as one program of more than a thousand blocks.

   No standard is behind it as a whole; each part names what it follows.

   main draws reproducible inputs for each tool, lets it work, and prints results or their digests
   (FNV-1a, 32 bits); it fails if a tool contradicts itself. SIZE scales the inputs. -DPRINT_INPUTS
   prints the texts that were drawn, and what they were packed to, in hexadecimal digits. */
#ifndef SIZE
#define SIZE 300
#endif
#if SIZE < 10
#error "SIZE must be at least 10"
#endif

/* In this order: a tool uses those before it. */
#include "toolbox_numbers.h"
#include "toolbox_sorting.h"
#include "toolbox_tree.h"
#include "toolbox_graph.h"
#include "toolbox_text.h"
#include "toolbox_json.h"
#include "toolbox_json_writing.h"
#include "toolbox_regex.h"
#include "toolbox_regex_search.h"
#include "toolbox_deflate.h"
#include "toolbox_tokens.h"
#include "toolbox_script.h"
#include "toolbox_machine.h"
#include "toolbox_scripts.h"

int main(void)
{
    try_sorting();
    try_tree();
    try_numbers();
    try_graph();
    try_text();
    try_json();
    try_regex();
    try_deflate();
    try_script();
    return 0;
}
