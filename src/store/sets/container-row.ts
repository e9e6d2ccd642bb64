/** The chunk number of rows with heads. */
export const HEADS = -1;

/** The container of a set in a chunk, or the head of a set if the chunk is {@link HEADS}; null if there is none. */
export type ContainerRow = [chunk: number, name: string, bits: Uint8Array | null];
