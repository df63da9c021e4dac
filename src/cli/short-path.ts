// Paths for people.
import { relative, resolve } from 'node:path'

/** A path as a person would type it from here. */
export function shortPath(path: string): string {
  const fromHere = relative(process.cwd(), resolve(path))
  return fromHere.startsWith('..') || fromHere === '' ? resolve(path) : fromHere
}
