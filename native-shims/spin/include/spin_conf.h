/* Sizes that handlers are compiled for. */
#ifndef SPIN_CONF_H
#define SPIN_CONF_H

#ifndef NB_CLUSTERS
#define NB_CLUSTERS 2
#endif
#ifndef NB_CORES
#define NB_CORES 8
#endif
#define NUM_CLUSTER_HPUS (NB_CORES)
#define CORE_COUNT (NB_CORES * NB_CLUSTERS)

#ifndef PKT_SIZE
#define PKT_SIZE 1024
#endif

#endif
