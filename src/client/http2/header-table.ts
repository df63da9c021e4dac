// The tables of HPACK (RFC 7541): the static one, and the dynamic one of each direction of a connection.

export interface Header {
  readonly name: string
  readonly value: string
}

/** Appendix A. The first entry has the index 1. */
export const staticTable: readonly Header[] = [
  ':authority',
  ':method GET',
  ':method POST',
  ':path /',
  ':path /index.html',
  ':scheme http',
  ':scheme https',
  ...[200, 204, 206, 304, 400, 404, 500].map((status) => `:status ${status}`),
  'accept-charset',
  'accept-encoding gzip, deflate',
  ...['accept-language', 'accept-ranges', 'accept', 'access-control-allow-origin', 'age', 'allow', 'authorization', 'cache-control'],
  ...['content-disposition', 'content-encoding', 'content-language', 'content-length', 'content-location', 'content-range'],
  ...['content-type', 'cookie', 'date', 'etag', 'expect', 'expires', 'from', 'host', 'if-match', 'if-modified-since', 'if-none-match'],
  ...['if-range', 'if-unmodified-since', 'last-modified', 'link', 'location', 'max-forwards', 'proxy-authenticate'],
  ...['proxy-authorization', 'range', 'referer', 'refresh', 'retry-after', 'server', 'set-cookie', 'strict-transport-security'],
  ...['transfer-encoding', 'user-agent', 'vary', 'via', 'www-authenticate'],
].map((line) => {
  const [name, ...value] = line.split(' ')
  return { name: name!, value: value.join(' ') }
})

/** A header to be found by identity: the one of the static table, if that has it. */
export const headerOf = (name: string, value: string): Header =>
  staticTable.find((entry) => entry.name === name && entry.value === value) ?? { name, value }

export const defaultTableBytes = 4096
const entryOverhead = 32

/** A queue of headers: the newest has the first index after the static table; the oldest are evicted when it is full. */
export class DynamicTable {
  /** The oldest first; entries before `#first` are evicted. */
  #entries: Header[] = []
  #first = 0
  #bytes = 0
  #maxBytes = defaultTableBytes

  get length(): number {
    return this.#entries.length - this.#first
  }

  /** Index 0 is the newest. */
  at(index: number): Header | undefined {
    return index < this.length ? this.#entries[this.#entries.length - 1 - index] : undefined
  }

  /** A header that is too large empties the table, and is not added. */
  add(header: Header): void {
    const bytes = bytesOf(header)
    this.#evict(this.#maxBytes - bytes)
    if (bytes > this.#maxBytes) return
    this.#entries.push(header)
    this.#bytes += bytes
  }

  fits(header: Header): boolean {
    return bytesOf(header) <= this.#maxBytes
  }

  resize(maxBytes: number): void {
    this.#maxBytes = maxBytes
    this.#evict(maxBytes)
  }

  #evict(maxBytes: number): void {
    while (this.#bytes > maxBytes && this.length > 0) this.#bytes -= bytesOf(this.#entries[this.#first++]!)
    if (this.#first < 64 || this.#first < this.length) return
    this.#entries = this.#entries.slice(this.#first)
    this.#first = 0
  }
}

const bytesOf = ({ name, value }: Header) => name.length + value.length + entryOverhead
