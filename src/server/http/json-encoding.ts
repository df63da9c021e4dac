// Builds responses from serialized objects without parsing them.
import { apiVersionOf, type Kind } from '../../api/machinery/kind.ts'
import { getOrAdd } from '../../base/maps.ts'
import type { ObjectResponse } from '../rest/rest.ts'

/** `{"kind":"Pod","apiVersion":"v1",` */
const heads = new WeakMap<Kind, string>()

/** The serialized object with its kind and apiVersion, which stored objects lack. */
export function withKind({ kind, json }: ObjectResponse): string {
  return (
    getOrAdd(heads, kind, () => `{"kind":${JSON.stringify(kind.kind)},"apiVersion":${JSON.stringify(apiVersionOf(kind))},`) + json.slice(1)
  )
}

const metadataStart = '{"metadata":'

/** The `{…}` of the metadata, the first field of a serialized object. */
export function metadataJson(text: string): string {
  const end = objectEnd(text, metadataStart.length)
  return text.slice(metadataStart.length, end)
}

/** The index after the object that starts at `start`. */
function objectEnd(text: string, start: number): number {
  let depth = 0
  for (let i = start; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === 34) i = stringEnd(text, i)
    else if (code === 123 || code === 91) depth++
    else if (code === 125 || code === 93) {
      depth--
      if (depth === 0) return i + 1
    }
  }
  return text.length
}

/** The index of the quote that closes the string that opens at `open`. */
function stringEnd(text: string, open: number): number {
  let close = text.indexOf('"', open + 1)
  for (;;) {
    if (close < 0) return text.length
    let backslashes = 0
    while (text.charCodeAt(close - 1 - backslashes) === 92) backslashes++
    if (backslashes % 2 === 0) return close
    close = text.indexOf('"', close + 1)
  }
}

/** Indented JSON. Numbers are copied literally, so that large ones keep their precision. */
export function indentJson(text: string): string {
  let out = ''
  let indent = '\n'
  for (let i = 0; i < text.length; i++) {
    const character = text[i]!
    if (character === '"') {
      const end = stringEnd(text, i)
      out += text.slice(i, end + 1)
      i = end
    } else if (character === '{' || character === '[') {
      const closing = character === '{' ? '}' : ']'
      if (text[i + 1] === closing) {
        out += character + closing
        i++
      } else {
        indent += '  '
        out += character + indent
      }
    } else if (character === '}' || character === ']') {
      indent = indent.slice(0, -2)
      out += indent + character
    } else if (character === ',') out += `,${indent}`
    else if (character === ':') out += ': '
    else if (character !== '\n' && character !== ' ') out += character
  }
  return out
}

/**
 * YAML as Kubernetes writes it. Strings such as `yes`, `1_000` or a time are quoted, because readers of YAML 1.1 would not read them as
 * strings. The library is loaded on demand: loading takes 29 ms.
 */
export async function jsonToYaml(text: string): Promise<string> {
  const { Document, visit } = await import('yaml')
  const document = new Document(JSON.parse(text), { sortMapEntries: true, aliasDuplicateObjects: false })
  visit(document, {
    Scalar(_, node) {
      if (typeof node.value !== 'string') return
      if (readsAsOtherType.test(node.value) || hasSpaceAtLineEnd.test(node.value)) node.type = 'QUOTE_DOUBLE'
      else if (readsAsSyntax.test(node.value)) node.type = 'QUOTE_SINGLE'
    },
  })
  return document.toString({ lineWidth: 0, indentSeq: false, singleQuote: true })
}

/** A block scalar would lose these spaces. */
const hasSpaceAtLineEnd = /[ \t]\n/

/** One line that YAML would not read as a plain scalar. */
const readsAsSyntax = /^(?=[\x20-\x7e]*$)(?: |[-?:](?: |$)|[,[\]{}#&*!|>'"%@`]|.*(?:: |:$| #| $))/

/** YAML 1.1 reads these plain scalars as a boolean, null, a number or a time. */
const readsAsOtherType = new RegExp(
  [
    '^(?:y|Y|yes|Yes|YES|n|N|no|No|NO|on|On|ON|off|Off|OFF|true|True|TRUE|false|False|FALSE|~|null|Null|NULL|)$',
    '^[-+]?(?:0b[01_]+|0o?[0-7_]+|0x[0-9a-fA-F_]+|[0-9][0-9_]*)$',
    '^[-+]?(?:[0-9][0-9_]*(?:\\.[0-9_]*)?|\\.[0-9_]+)(?:[eE][-+]?[0-9]+)?$',
    '^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\\.[0-9_]*)?$',
    '^[-+]?\\.(?:inf|Inf|INF)$|^\\.(?:nan|NaN|NAN)$',
    '^[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:(?:[Tt]|[ \\t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:\\.[0-9]*)?[ \\t]*(?:Z|[-+][0-9]{1,2}(?::?[0-9]{2})?)?)?$',
  ].join('|'),
)
