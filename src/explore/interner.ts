// Numbers for equal records, so that a state holds a number instead of a record. 0 is no record.

export class Interner<T extends object> {
  readonly #ids = new Map<string, number>()
  readonly #records: (T | undefined)[] = [undefined]

  idOf(record: T): number {
    const key = Object.values(record).join()
    const known = this.#ids.get(key)
    if (known !== undefined) return known
    const id = this.#records.length
    this.#ids.set(key, id)
    this.#records.push(record)
    return id
  }

  get(id: number): T {
    return this.#records[id]!
  }

  /** The record with these changes. */
  changed(id: number, changes: Partial<T>): number {
    return this.idOf({ ...this.get(id), ...changes })
  }
}
