/* Programs of several files: each is compiled with all of them at hand, then they are linked. */
#ifndef ISLE_OPENCL_LINK_H
#define ISLE_OPENCL_LINK_H

#include "origin.h"

/* `behind` may be NULL; the file that it stands behind is compiled anew for this, all others once. -EINVAL with what compiler or linker say
 * in the log. */
IoResultCode link_files(struct device *d, struct origin *o, const struct appendix *behind, char *log, uint64_t log_size, cl_program *out);
/* What the files were compiled to. */
void link_free(struct device *d, struct origin *o);

#endif
