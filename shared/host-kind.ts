/**
 * Which repository host something is on: the `kind` of a definition in `hosts/registry.ts`, as the
 * database keeps it. Nobody else compares it: they ask the definition what the host can do.
 */
export type HostKind = string;
