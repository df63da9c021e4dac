// Reads a YAML tree strictly: what is not known is wrong, and what is wrong has a place.
import type * as Yaml from 'yaml'
import { didYouMean } from '../../base/closest-name.ts'
import type { Fail } from './arguments.ts'
import { InputError } from './input-error.ts'
import type { ReadDocument } from './manifests.ts'
import type { Place } from './plan.ts'

export class YamlReader {
  readonly #yaml: typeof Yaml
  readonly #document: ReadDocument
  readonly #node: unknown
  readonly name: string

  constructor(yaml: typeof Yaml, document: ReadDocument, node: unknown, name: string) {
    this.#yaml = yaml
    this.#document = document
    this.#node = yaml.isAlias(node) ? node.resolve(document.document) : node
    this.name = name
  }

  get place(): Place {
    return this.#document.placeOf(this.#node)
  }

  readonly fail: Fail = (message) => {
    throw new InputError(message, this.place)
  }

  get isMap(): boolean {
    return this.#yaml.isMap(this.#node)
  }

  get isList(): boolean {
    return this.#yaml.isSeq(this.#node)
  }

  /** As a plain value, whatever it is. */
  get value(): unknown {
    const node = this.#node as Yaml.Node | null
    return node === null || node === undefined ? null : node.toJS(this.#document.document)
  }

  /** Its entries in order; the keys must be among `known`, where they are given. */
  fields(known?: readonly string[]): Map<string, YamlReader> {
    const node = this.#node
    if (!this.#yaml.isMap(node)) return this.fail(`${this.name} must be a map, not ${this.#describe()}`)
    const fields = new Map<string, YamlReader>()
    for (const { key, value } of node.items) {
      const text = String((key as Yaml.Scalar).value ?? '')
      if (known !== undefined && !known.includes(text))
        throw new InputError(
          `unknown field "${text}" in ${this.name}.${didYouMean(text, known)} The fields are ${known.join(', ')}`,
          this.#document.placeOf(key),
        )
      fields.set(text, new YamlReader(this.#yaml, this.#document, value ?? key, text))
    }
    return fields
  }

  items(): YamlReader[] {
    const node = this.#node
    if (!this.#yaml.isSeq(node)) return this.fail(`${this.name} must be a list, not ${this.#describe()}`)
    return node.items.map((item) => new YamlReader(this.#yaml, this.#document, item, this.name))
  }

  /** The items of a list, or the one thing that is there instead of a list. */
  oneOrMany(): YamlReader[] {
    return this.isList ? this.items() : [this]
  }

  /** A text; numbers and booleans count as what was written. */
  text(): string {
    const node = this.#node
    if (!this.#yaml.isScalar(node) || node.value === null) return this.fail(`${this.name} must be a text, not ${this.#describe()}`)
    return typeof node.value === 'string' ? node.value : (node.source ?? String(node.value))
  }

  wholeNumber(least: number, most: number): number {
    const text = this.text()
    const number = /^[0-9]+$/.test(text) ? Number(text) : Number.NaN
    if (!(number >= least && number <= most)) this.fail(`${this.name} must be a whole number from ${least} to ${most}, not ${text}`)
    return number
  }

  #describe(): string {
    if (this.isMap) return 'a map'
    if (this.isList) return 'a list'
    const { value } = this
    return value === null ? 'nothing' : `"${String(value)}"`
  }
}
