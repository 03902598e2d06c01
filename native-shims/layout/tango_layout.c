/* Structures of links in shared memory. */
#include "isle_tango.h"
#include "layout.h"

void tango_layout(void)
{
    STRUCT(isle_frag_meta);
    FIELD(isle_frag_meta, seq);
    FIELD(isle_frag_meta, sig);
    FIELD(isle_frag_meta, chunk);
    FIELD(isle_frag_meta, sz);
    FIELD(isle_frag_meta, ctl);
    FIELD(isle_frag_meta, tsorig);
    FIELD(isle_frag_meta, tspub);
    STRUCT(isle_mcache);
    FIELD(isle_mcache, magic);
    FIELD(isle_mcache, depth);
    FIELD(isle_mcache, app_sz);
    FIELD(isle_mcache, seq0);
    FIELD(isle_mcache, app_off);
    FIELD(isle_mcache, seq);
    STRUCT(isle_dcache);
    FIELD(isle_dcache, magic);
    FIELD(isle_dcache, data_sz);
    FIELD(isle_dcache, app_sz);
    FIELD(isle_dcache, app_off);
    STRUCT(isle_fseq);
    FIELD(isle_fseq, magic);
    FIELD(isle_fseq, seq0);
    FIELD(isle_fseq, seq);
    FIELD(isle_fseq, app);
}
