/** Programs of eBPF for XDP: their assembly, and the kernel's maps, programs and links. */
package io.isle.net.xdp.bpf;
