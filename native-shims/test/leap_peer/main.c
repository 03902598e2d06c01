// leap-peer master|worker|tail tcp|udp LISTEN NEXT DIM LAYERS START END: a node of a LEAP ring. LISTEN and NEXT are IPv4:PORT. A worker
// mixes layers START to END; for a master these are the layers of all workers. Commands of a master: warm, drive N, quiet, resize B0 [B1 ...].
#include <arpa/inet.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "peer.h"

_Noreturn void fail(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fputs("leap-peer: ", stderr);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  exit(3);
}

struct sockaddr_in address_of(const char *text) {
  char host[32];
  const char *colon = strchr(text, ':');
  struct sockaddr_in address = {.sin_family = AF_INET};
  if (colon == NULL || (size_t)(colon - text) >= sizeof host) fail("%s is no IPv4:PORT", text);
  memcpy(host, text, (size_t)(colon - text));
  host[colon - text] = 0;
  int port = atoi(colon + 1);
  if (port < 1 || port > 65535 || inet_pton(AF_INET, host, &address.sin_addr) != 1) fail("%s is no IPv4:PORT", text);
  address.sin_port = htons((uint16_t)port);
  return address;
}

int main(int argc, char **argv) {
  if (argc != 9) fail("takes ROLE tcp|udp LISTEN NEXT DIM LAYERS START END");
  bool master = strcmp(argv[1], "master") == 0;
  struct node node = {
      .transport = strcmp(argv[2], "udp") == 0 ? &udp_transport : &tcp_transport,
      .packet = HEADER_BYTES + 4 * (size_t)strtoul(argv[5], NULL, 10),
      .layers = atoi(argv[6]),
      .range = {atoi(argv[7]), atoi(argv[8]), strcmp(argv[1], "worker") != 0},
  };
  if (node.packet > MOST_PACKET) fail("packets of %zu bytes are more than %d", node.packet, MOST_PACKET);
  node.buffer = malloc(node.packet);
  if (node.buffer == NULL) fail("no memory");
  node.transport->open(address_of(argv[3]), address_of(argv[4]), node.packet);
  if (!master) run_worker(&node);
  run_master(&node, stdin);
  free(node.buffer);
  return 0;
}
