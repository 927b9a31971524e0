/* The network that the build was given (ROOKERY_NETWORK, a file's path), byte by byte in the
 * binary. The assembler takes it in: for a compiler half a million numbers are a minute's work.
 * This file alone is compiled without optimisation across files, which moves C and not assembly. */
#include "engine/network.h"

#include "base/check.h"

__asm__(".section .rodata\n"
        ".balign 64\n"
        ".hidden network_bytes\n"
        ".globl network_bytes\n"
        "network_bytes:\n"
        ".incbin \"" ROOKERY_NETWORK "\"\n"
        ".hidden network_bytes_end\n"
        ".globl network_bytes_end\n"
        "network_bytes_end:\n"
        ".byte 0\n"
        ".previous\n");
extern const uint8_t network_bytes[], network_bytes_end[];

enum rk_status network_built_in(struct rk_network **out_network)
{
    char error[RK_NETWORK_ERROR_BYTES_MAX];
    const size_t length = (size_t)((uintptr_t)network_bytes_end - (uintptr_t)network_bytes);
    const enum rk_status status = network_parse(network_bytes, length, out_network, error);
    REQUIRE(status != RK_BAD_ARGUMENT);
    return status;
}
