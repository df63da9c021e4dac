// The user's own expectations, in CEL: every kind is a variable with the list of its objects.
import { compile, dyn, listOf, type Program } from '../../api/machinery/cel/cel.ts'
import type { KindSet } from '../../api/machinery/kind-set.ts'
import { messageOf } from '../../base/error-message.ts'
import { storageOf } from '../../server/rest/scope.ts'
import type { Store, StoredRecord } from '../../store/store.ts'

interface Expectation {
  readonly source: string
  readonly program: Program
}

export class Expectations {
  readonly #store: Store
  readonly #prefixes = new Map<string, string>()
  readonly #always: readonly Expectation[]
  readonly #finally: readonly Expectation[]
  readonly #parsed = new WeakMap<StoredRecord, unknown>()

  /** Throws an Error for an expression that does not compile. */
  constructor(store: Store, kinds: KindSet, always: readonly string[], last: readonly string[]) {
    this.#store = store
    for (const kind of kinds.all) if (!this.#prefixes.has(kind.plural)) this.#prefixes.set(kind.plural, `${storageOf(kind)}/`)
    const variables = Object.fromEntries([...this.#prefixes.keys()].map((plural) => [plural, listOf(dyn)]))
    const read = (source: string): Expectation => {
      try {
        return { source, program: compile(source, { variables }) }
      } catch (error) {
        throw new Error(`Cannot read the expectation ${JSON.stringify(source)}: ${messageOf(error)}`)
      }
    }
    this.#always = always.map(read)
    this.#finally = last.map(read)
  }

  /** Those that do not hold, of --always or --finally. `key`: only those that depend on its kind. */
  broken(when: 'always' | 'finally', key?: string): string[] {
    const concerned = when === 'always' ? this.#always : this.#finally
    return concerned.filter((one) => (key === undefined || this.#reads(one, key)) && !this.#holds(one)).map(({ source }) => source)
  }

  #reads({ program }: Expectation, key: string): boolean {
    return [...program.variablesRead].some((plural) => key.startsWith(this.#prefixes.get(plural) ?? '\0'))
  }

  #holds({ program }: Expectation): boolean {
    const values: Record<string, unknown> = {}
    for (const plural of program.variablesRead) {
      const { records } = this.#store.list(this.#prefixes.get(plural)!)
      values[plural] = records.map((record) => {
        const known = this.#parsed.get(record) ?? JSON.parse(record.value)
        this.#parsed.set(record, known)
        return known as unknown
      })
    }
    try {
      return program.evaluate(values) === true
    } catch {
      // It refers to a field that an object lacks.
      return false
    }
  }
}
