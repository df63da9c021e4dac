// Values with x-kubernetes-embedded-resource: objects of any kind inside of a custom resource. Each names its kind, and has metadata like any object.
// Kubernetes: k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta.Validate, validateEmbeddedResource, coercer.coerce
import { readGivenKind } from '../decode/body.ts'
import { decode } from '../decode/decode.ts'
import { DecodeError } from '../decode/decode-error.ts'
import { type FieldError, invalid, required } from '../field-error.ts'
import { isJsonObject, type JsonObject } from '../json-object.ts'
import type { ObjectMeta } from '../types.ts'
import { validateObjectMeta } from '../validation/metadata.ts'
import { isDns1035Label } from '../validation/names.ts'
import type { JsonSchema } from './definition.ts'
import { anywhereIn } from './schema-search.ts'

const isEmbedded = (schema: JsonSchema) => schema['x-kubernetes-embedded-resource'] === true
const hasEmbedded = anywhereIn(isEmbedded)
const at = (path: string, name: string) => (path === '' ? name : `${path}.${name}`)

/** Calls `visit` with each embedded resource in a value, the outer ones first. */
function visitEmbedded(schema: JsonSchema, value: unknown, path: string, visit: (resource: JsonObject, path: string) => void): void {
  if (!hasEmbedded(schema)) return
  if (Array.isArray(value)) {
    const { items } = schema
    if (items !== undefined) for (const [index, item] of value.entries()) visitEmbedded(items, item, `${path}[${index}]`, visit)
    return
  }
  if (!isJsonObject(value)) return
  if (isEmbedded(schema)) visit(value, path)
  const { properties = {}, additionalProperties } = schema
  for (const name of Object.keys(value)) {
    if (Object.hasOwn(properties, name)) visitEmbedded(properties[name]!, value[name], at(path, name), visit)
    else if (typeof additionalProperties === 'object') visitEmbedded(additionalProperties, value[name], `${path}[${name}]`, visit)
  }
}

/**
 * Brings the metadata of embedded resources into the form that Kubernetes' decoder gives it, in place. Calls `onUnknown` with the path of each field
 * that metadata does not have. Returns what cannot be decoded.
 */
export function coerceEmbedded(
  schema: JsonSchema,
  value: unknown,
  path: string,
  onUnknown: (path: string) => void = () => {},
): FieldError | undefined {
  let problem: FieldError | undefined
  visitEmbedded(schema, value, path, (resource, at) => {
    problem ??= coerce(resource, at, onUnknown)
  })
  return problem
}

function coerce(resource: JsonObject, path: string, onUnknown: (path: string) => void): FieldError | undefined {
  for (const name of Object.keys(resource)) {
    const value = resource[name]
    if ((name === 'apiVersion' || name === 'kind') && typeof value !== 'string') return invalid(at(path, name), value, 'must be a string')
    if (name !== 'metadata') continue
    const metadata = decodeMetadata(value)
    if (typeof metadata === 'string') return invalid(at(path, name), value, metadata)
    resource[name] = metadata.object
    for (const unknown of metadata.unknownFields) onUnknown(`${at(path, name)}.${unknown.slice('unknown field "'.length, -1)}`)
  }
  return undefined
}

/** Removes what cannot be decoded, in place. Returns whether there was anything: it was stored before the schema had embedded resources. */
export function dropUndecodable(schema: JsonSchema, value: unknown): boolean {
  let hasDropped = false
  visitEmbedded(schema, value, '', (resource) => {
    for (const name of ['apiVersion', 'kind']) if (Object.hasOwn(resource, name) && typeof resource[name] !== 'string') drop(resource, name)
    const { metadata } = resource
    if (metadata === undefined || typeof decodeMetadata(metadata) !== 'string') return
    if (!isJsonObject(metadata)) drop(resource, 'metadata')
    else for (const name of Object.keys(metadata)) if (typeof decodeMetadata({ [name]: metadata[name] }) === 'string') drop(metadata, name)
  })
  return hasDropped

  function drop(from: JsonObject, name: string): void {
    delete from[name]
    hasDropped = true
  }
}

/** The metadata, or why it cannot be decoded. */
function decodeMetadata(value: unknown): string | { readonly object: ObjectMeta; readonly unknownFields: readonly string[] } {
  try {
    return decode<ObjectMeta>('meta.ObjectMeta', value)
  } catch (error) {
    if (error instanceof DecodeError) return error.message
    throw error
  }
}

export function validateEmbedded(schema: JsonSchema, value: unknown, path: string, errors: FieldError[]): void {
  visitEmbedded(schema, value, path, (resource, at) => validateResource(resource, at, errors))
}

/** Kind and apiVersion are required, metadata is not. */
function validateResource(resource: JsonObject, path: string, errors: FieldError[]): void {
  for (const name of ['apiVersion', 'kind']) if (!Object.hasOwn(resource, name)) errors.push(required(at(path, name), ''))
  for (const name of Object.keys(resource)) {
    const value = resource[name]
    if (name === 'apiVersion' || name === 'kind') {
      const problem = typeof value !== 'string' ? 'must be a string' : value === '' ? 'must not be empty' : namingProblem(name, value)
      if (problem !== undefined) errors.push(invalid(at(path, name), value, problem))
    } else if (name === 'metadata') errors.push(...metadataErrors(value, at(path, name)))
  }
}

function namingProblem(field: 'apiVersion' | 'kind', value: string): string | undefined {
  if (field === 'apiVersion') {
    const read = readGivenKind({ apiVersion: value })
    return typeof read === 'string' ? read : undefined
  }
  const messages = isDns1035Label(value.toLowerCase())
  return messages.length === 0 ? undefined : `may have mixed case, but should otherwise match: ${messages.join(',')}`
}

function metadataErrors(value: unknown, path: string): FieldError[] {
  const decoded = decodeMetadata(value)
  if (typeof decoded === 'string') return [invalid(path, value, decoded)]
  // An embedded resource may have no name yet.
  const metadata = { ...decoded.object, name: decoded.object.name || 'fakename' }
  return validateObjectMeta(metadata, Boolean(metadata.namespace), 'path-segment', path, true)
}
