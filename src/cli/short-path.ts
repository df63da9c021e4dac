// Shortens paths for output.
import { relative, resolve } from 'node:path'

/** Relative to the working directory where the path lies inside it, else absolute. */
export function shortPath(path: string): string {
  const fromHere = relative(process.cwd(), resolve(path))
  return fromHere.startsWith('..') || fromHere === '' ? resolve(path) : fromHere
}
