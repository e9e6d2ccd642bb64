/** The chunk number under which heads are stored. */
export const HEADS = -1;

/** A container, or a head under {@link HEADS}; null if the set has none. */
export type ContainerRow = [chunk: number, name: string, bits: Uint8Array | null];
