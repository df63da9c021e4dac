// Label and field selectors of lists, watches and deletecollection.
// Kubernetes: k8s.io/apiserver/pkg/storage.SelectionPredicate.*
// Kubernetes: k8s.io/apimachinery/pkg/fields.ParseSelector
// Kubernetes: k8s.io/apimachinery/pkg/labels.Parse

import type { Kind } from '../../api/machinery/kind.ts'
import { badRequestError } from '../../api/machinery/status-error.ts'
import { isQualifiedName, isValidLabelValue } from '../../api/machinery/validation/names.ts'
import { type LabelRequirements, type LabelRules, matchesLabels, parseSelector, SelectorSyntaxError } from '../../base/label-selector.ts'
import type { StoredRecord } from '../../store/store.ts'
import type { Entry } from './entry.ts'

interface FieldRequirement {
  readonly field: string
  readonly value: string
  readonly isEqual: boolean
}

export interface Selection {
  readonly labels: LabelRequirements
  readonly fields: readonly FieldRequirement[]
  /** True when it selects all objects of its range. */
  readonly isEverything: boolean
  /** The only name and the only namespace that it can match. */
  readonly name?: string
  readonly namespace?: string
}

const labelRules: LabelRules = { key: isQualifiedName, value: isValidLabelValue }

interface SelectorQuery {
  readonly labelSelector?: string
  readonly fieldSelector?: string
}

/**
 * Throws a StatusError (400) for invalid selectors. As in Kubernetes, `validate` checks the other parameters after the syntax of the
 * selectors, and before the names of the fields.
 */
export function parseSelection<Q extends SelectorQuery>(kind: Kind, query: Q, validate?: (query: Q) => void): Selection {
  const { labelSelector = '', fieldSelector = '' } = query
  const labels = labelSelector === '' ? [] : parseLabels(labelSelector)
  const terms = fieldSelector === '' ? [] : parseFields(fieldSelector)
  validate?.(query)
  if (labelSelector === '' && fieldSelector === '') return everything
  const fields = terms.map((one) => ({ ...one, field: knownField(kind, one.field) }))
  const exactly = (field: string) => fields.find((one) => one.isEqual && one.field === field)?.value
  const name = exactly('metadata.name')
  const namespace = exactly('metadata.namespace')
  return {
    labels,
    fields,
    isEverything: labels.length === 0 && fields.length === 0,
    ...(name !== undefined && name !== '' && { name }),
    ...(namespace !== undefined && namespace !== '' && { namespace }),
  }
}

const everything: Selection = { labels: [], fields: [], isEverything: true }

export function matches({ isEverything, labels, fields }: Selection, entry: Entry): boolean {
  if (isEverything) return true
  if (labels.length > 0 && !matchesLabels(labels, entry.labels)) return false
  if (fields.length === 0) return true
  const values = entry.fields
  for (const { field, value, isEqual } of fields) {
    if (((values[field] ?? '') === value) !== isEqual) return false
  }
  return true
}

// Strings that JSON does not escape.
const unescapedInJson = /^[\w.:-]+$/

/**
 * True: the object cannot match, as its serialized form does not contain the selected value. Avoids parsing half a million Events to
 * find the five of one pod, which would take seconds.
 */
export function cannotMatch({ fields }: Selection, kind: Kind, record: StoredRecord): boolean {
  // The selectable fields of logs occur literally in their serialized form, or are empty.
  if (fields.length === 0 || record.memo !== undefined || record.mayContain === undefined || !kind.isLog) return false
  return fields.some(({ isEqual, value }) => isEqual && unescapedInJson.test(value) && !record.mayContain!(value))
}

function parseLabels(text: string): LabelRequirements {
  try {
    return parseSelector(text, labelRules)
  } catch (error) {
    if (error instanceof SelectorSyntaxError) throw badRequestError(error.message)
    throw error
  }
}

/** `a=b,c!=d`, with `\\`, `\,` and `\=` in values. */
function parseFields(text: string): FieldRequirement[] {
  const requirements: FieldRequirement[] = []
  for (const term of splitTerms(text).sort()) {
    if (term === '') continue
    const operator = /!=|==?/.exec(term)
    if (operator === null) throw badRequestError(`invalid selector: '${text}'; can't understand '${term}'`)
    const field = term.slice(0, operator.index)
    const value = unescapeValue(term.slice(operator.index + operator[0].length))
    // A term without field and value, such as `=`, selects everything.
    if (field === '' && value === '') continue
    requirements.push({ field, value, isEqual: operator[0] !== '!=' })
  }
  return requirements
}

function splitTerms(text: string): string[] {
  const terms: string[] = []
  let start = 0
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === ',') {
      terms.push(text.slice(start, at))
      start = at + 1
    }
  }
  terms.push(text.slice(start))
  return terms
}

function unescapeValue(text: string): string {
  if (!/[\\,=]/.test(text)) return text
  let value = ''
  const characters = [...text]
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at]!
    if (character === '\\') {
      const next = characters[++at]
      if (next !== '\\' && next !== ',' && next !== '=')
        throw badRequestError(`invalid field selector: invalid escape sequence: \\${next ?? ''}`)
      value += next
    } else if (character === ',' || character === '=')
      throw badRequestError(`invalid field selector: unescaped character in value: ${character.charCodeAt(0)}`)
    else value += character
  }
  return value
}

function knownField({ namespaced, selectableFields, unknownFieldMessage }: Kind, field: string): string {
  if (field === 'metadata.name') return field
  // As in Kubernetes, cluster-scoped kinds with selectable fields of their own refuse metadata.namespace.
  if (field === 'metadata.namespace' && (namespaced || selectableFields === undefined)) return field
  if (selectableFields !== undefined && Object.hasOwn(selectableFields, field)) return field
  throw badRequestError(
    unknownFieldMessage?.(field) ?? `${JSON.stringify(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`,
  )
}
