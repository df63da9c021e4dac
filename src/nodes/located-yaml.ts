// YAML with source locations, so that an error can name the line.
import { type Document, isMap, isPair, isScalar, isSeq, LineCounter, parseAllDocuments } from 'yaml'

/** The content of a file is invalid: `nodes.yaml:12: …`, one line. */
export class FileError extends Error {
  /** The exit code of the command. */
  readonly exitCode = 2

  constructor(location: string, message: string) {
    super(`${location}: ${message}`)
    this.name = 'FileError'
  }
}

export type Path = readonly (string | number)[]

export interface LocatedDocument {
  readonly value: unknown
  /** The location of the value at the path, or of the nearest existing one above it: `nodes.yaml:12`. */
  at(path: Path): string
}

/** Skips empty documents. Throws a FileError. */
export function parseLocated(text: string, source: string): LocatedDocument[] {
  const lines = new LineCounter()
  const documents: LocatedDocument[] = []
  const locationOf = (offset: number) => `${source}:${Math.max(1, lines.linePos(offset).line)}`
  for (const document of parseAllDocuments(text, { lineCounter: lines, prettyErrors: false }) as Document.Parsed[]) {
    const [error] = document.errors
    if (error !== undefined) throw new FileError(locationOf(error.pos[0]), `invalid YAML: ${error.message.split('\n')[0]}`)
    const value = document.toJS() as unknown
    if (value !== null && value !== undefined) documents.push({ value, at: (path) => locationOf(offsetOf(document, path)) })
  }
  return documents
}

function offsetOf(document: Document.Parsed, path: Path): number {
  let node: unknown = document.contents
  let offset = document.contents?.range?.[0] ?? 0
  for (const key of path) {
    if (isMap(node)) {
      const pair = node.items.find((item) => isPair(item) && isScalar(item.key) && item.key.value === key)
      if (pair === undefined) break
      offset = (isScalar(pair.key) ? pair.key.range?.[0] : undefined) ?? offset
      node = pair.value
    } else if (isSeq(node)) {
      node = node.items[Number(key)]
      if (node === undefined) break
      offset = (node as { readonly range?: readonly number[] }).range?.[0] ?? offset
    } else break
  }
  return offset
}
