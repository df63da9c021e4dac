// A socket with a last check. Node.js collects the frames of HTTP/2 and writes them a moment later; the process may be suspended in
// between, and may have lost the right to write when it wakes up.
import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'

export class CheckedSocket extends Duplex {
  readonly #socket: Socket
  readonly #check: () => void
  #hasEnded = false

  /** `check` is called in the turn in which the bytes are handed to the operating system. If it throws, they are not. */
  constructor(socket: Socket, check: () => void) {
    super({ allowHalfOpen: true, autoDestroy: true })
    this.#socket = socket
    this.#check = check
    socket.on('data', (bytes: Buffer) => {
      if (!this.push(bytes)) socket.pause()
    })
    socket.on('end', () => {
      this.#hasEnded = true
      this.push(null)
    })
    socket.on('error', (error) => this.destroy(error))
    // What has arrived is read first.
    socket.on('close', () => {
      if (this.#hasEnded && !this.readableEnded) this.once('end', () => this.destroy())
      else this.destroy()
    })
  }

  override _read(): void {
    this.#socket.resume()
  }

  override _write(bytes: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    if (this.#isAllowed(done)) this.#socket.write(bytes, done)
  }

  override _writev(parts: readonly { readonly chunk: Buffer }[], done: (error?: Error | null) => void): void {
    if (!this.#isAllowed(done)) return
    this.#socket.cork()
    for (const [at, { chunk }] of parts.entries()) this.#socket.write(chunk, at === parts.length - 1 ? done : undefined)
    this.#socket.uncork()
  }

  override _final(done: () => void): void {
    this.#socket.end(done)
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#socket.destroy(error ?? undefined)
    done(error)
  }

  #isAllowed(done: (error: Error) => void): boolean {
    try {
      this.#check()
      return true
    } catch (error) {
      done(error as Error)
      return false
    }
  }
}
