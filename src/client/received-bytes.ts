/**
 * Consumes what has arrived, element by element: `step` returns the position after the one that begins at `at`, or -1 if it is incomplete.
 * `rest` is the beginning of an incomplete element, which an earlier call returned.
 */
export function consumeBytes(rest: Buffer | undefined, arrived: Buffer, step: (bytes: Buffer, at: number) => number): Buffer | undefined {
  const bytes = rest === undefined ? arrived : Buffer.concat([rest, arrived])
  for (let at = 0; at < bytes.length; ) {
    const next = step(bytes, at)
    // Copied: the bytes belong to the connection.
    if (next < 0) return Buffer.from(bytes.subarray(at))
    at = next
  }
  return undefined
}
