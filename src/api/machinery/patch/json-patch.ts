// JSON patch (RFC 6902) as Kubernetes implements it: negative indices count from the end, `replace` and `copy` accept a missing member of
// an object, and `test` treats a missing member as null.
// Kubernetes: gopkg.in/evanphx/json-patch.v4.Patch.*, partialArray.*, partialDoc.*, findObject
import { isEqualJson } from '../../../base/json.ts'
import { jsonTypeOf } from '../go-text.ts'
import { isJsonObject, type JsonObject, ownValue, setOwnValue } from '../json-object.ts'
import { badRequestError, tooLargeError } from '../status-error.ts'
import { type FieldValidation, malformedPatchError, patchDoesNotApplyError } from './patch-error.ts'

const maxOperations = 10_000
const maxCopiedBytes = 3 * 1024 * 1024
const memberNames = ['op', 'path', 'from', 'value']

/**
 * The patched object. `object` is not changed; the result shares unpatched parts with it. The result may be any value: a patch can
 * replace the whole document.
 */
export function applyJsonPatch(object: JsonObject, patch: unknown, validation: FieldValidation = 'Warn'): unknown {
  const operations = readOperations(patch, validation)
  if (operations.length > maxOperations)
    throw tooLargeError(
      `Request entity too large: The allowed maximum operations in a JSON patch is ${maxOperations}, got ${operations.length}`,
    )
  const target = new PatchTarget(object)
  for (const operation of operations) target.run(operation ?? {})
  return target.document
}

/** The messages of strict decoding about the patch itself: unknown members of operations. */
export function unknownFieldsOfJsonPatch(patch: unknown): string[] {
  if (!Array.isArray(patch)) return []
  return patch.flatMap((operation: unknown, at) =>
    isJsonObject(operation)
      ? Object.keys(operation)
          .filter((key) => !memberNames.includes(key))
          .map((key) => `json patch unknown field "[${at}].${key}"`)
      : [],
  )
}

function readOperations(patch: unknown, validation: FieldValidation): readonly (JsonObject | null)[] {
  const ignore = validation === 'Ignore'
  if (patch === null) return []
  const start = ignore ? '' : 'error decoding patch: '
  if (!Array.isArray(patch)) throw malformedPatchError(patch, ignore ? 'jsonpatch.Patch' : '[]handlers.jsonPatchOp', start)
  for (const operation of patch as unknown[]) {
    if (operation === null) continue
    if (!isJsonObject(operation)) throw malformedPatchError(operation, ignore ? 'jsonpatch.Operation' : 'handlers.jsonPatchOp', start)
    if (ignore) continue
    for (const member of ['op', 'path', 'from']) {
      const value = ownValue(operation, member) ?? ''
      if (typeof value !== 'string')
        throw badRequestError(
          `${start}json: cannot unmarshal ${jsonTypeOf(value)} into Go struct field jsonPatchOp.${member} of type string`,
        )
    }
  }
  return patch as (JsonObject | null)[]
}

type Container = JsonObject | unknown[]

class PatchTarget {
  document: unknown
  /** Containers that this patch has already copied, and may change. */
  readonly #own = new Set<object>()
  #copiedBytes = 0

  constructor(document: unknown) {
    this.document = document
  }

  run(operation: JsonObject): void {
    switch (ownValue(operation, 'op')) {
      case 'add':
        this.#add(pointerOf(operation, 'path'), newValue(operation))
        break
      case 'remove':
        this.#remove(pointerOf(operation, 'path'))
        break
      case 'replace':
        this.#replace(operation)
        break
      case 'move': {
        const from = pointerOf(operation, 'from')
        const value = this.#get(from)
        this.#remove(from)
        this.#add(pointerOf(operation, 'path'), value)
        break
      }
      case 'copy': {
        const value = this.#get(pointerOf(operation, 'from')) ?? null
        this.#copiedBytes += value === null ? 0 : JSON.stringify(value).length
        if (this.#copiedBytes > maxCopiedBytes) throw patchDoesNotApplyError()
        this.#disown(value)
        this.#add(pointerOf(operation, 'path'), value)
        break
      }
      case 'test': {
        const path = pathOf(operation, 'path')
        const value = path === '' ? this.document : this.#get(splitPointer(path))
        if (!isEqualJson(value ?? null, newValue(operation))) throw patchDoesNotApplyError()
        break
      }
      default:
        throw patchDoesNotApplyError()
    }
  }

  #add(pointer: readonly string[], value: unknown): void {
    const container = this.#find(pointer, true)
    const key = pointer.at(-1)!
    if (!Array.isArray(container)) setOwnValue(container, key, value)
    else if (key === '-') container.push(value)
    else container.splice(indexOf(key, container.length + 1), 0, value)
  }

  #remove(pointer: readonly string[]): void {
    const container = this.#find(pointer, true)
    const key = pointer.at(-1)!
    if (Array.isArray(container)) container.splice(indexOf(key, container.length), 1)
    else if (Object.hasOwn(container, key)) delete container[key]
    else throw patchDoesNotApplyError()
  }

  #replace(operation: JsonObject): void {
    const path = pathOf(operation, 'path')
    const value = newValue(operation)
    if (path === '') {
      if (typeof value !== 'object' || value === null) throw patchDoesNotApplyError()
      this.document = value
      return
    }
    const pointer = splitPointer(path)
    const container = this.#find(pointer, true)
    const key = pointer.at(-1)!
    if (Array.isArray(container)) container[indexOf(key, container.length)] = value
    else setOwnValue(container, key, value)
  }

  #get(pointer: readonly string[]): unknown {
    return memberOf(this.#find(pointer, false), pointer.at(-1)!)
  }

  /** The container that holds the pointer's last step; with `toChange`, every container on the way is this patch's own. */
  #find(pointer: readonly string[], toChange: boolean): Container {
    let container = asContainer(this.document)
    if (toChange) {
      container = this.#ownCopy(container)
      this.document = container
    }
    for (let at = 0; at < pointer.length - 1; at++) {
      const step = pointer[at]!
      let next = asContainer(memberOf(container, step))
      if (toChange) {
        next = this.#ownCopy(next)
        if (Array.isArray(container)) container[indexOf(step, container.length)] = next
        else setOwnValue(container, step, next)
      }
      container = next
    }
    return container
  }

  #ownCopy(container: Container): Container {
    if (this.#own.has(container)) return container
    const copy = Array.isArray(container) ? [...container] : { ...container }
    this.#own.add(copy)
    return copy
  }

  /** From here on the value is shared by two paths: a change to one copies it first. */
  #disown(value: unknown): void {
    if (typeof value !== 'object' || value === null) return
    this.#own.delete(value)
    for (const member of Array.isArray(value) ? value : Object.values(value)) this.#disown(member)
  }
}

function memberOf(container: Container, key: string): unknown {
  return Array.isArray(container) ? container[indexOf(key, container.length)] : ownValue(container, key)
}

function asContainer(value: unknown): Container {
  if (typeof value !== 'object' || value === null) throw patchDoesNotApplyError()
  return value as Container
}

function pathOf(operation: JsonObject, member: 'path' | 'from'): string {
  const path = ownValue(operation, member)
  if (typeof path !== 'string') throw patchDoesNotApplyError()
  return path
}

const pointerOf = (operation: JsonObject, member: 'path' | 'from') => splitPointer(pathOf(operation, member))

const newValue = (operation: JsonObject) => ownValue(operation, 'value') ?? null

/** Never empty. Text before the first slash is ignored, as in Kubernetes. */
function splitPointer(path: string): readonly string[] {
  const steps = path.split('/')
  if (steps.length < 2) throw patchDoesNotApplyError()
  return steps.slice(1).map((step) => step.replace(/~[01]/g, (escaped) => (escaped === '~1' ? '/' : '~')))
}

function indexOf(step: string, length: number): number {
  if (!/^[+-]?\d+$/.test(step)) throw patchDoesNotApplyError()
  const index = Number(step)
  if (index >= length || index < -length) throw patchDoesNotApplyError()
  return index < 0 ? index + length : index
}
