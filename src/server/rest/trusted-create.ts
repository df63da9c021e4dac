// The short way of a new pod: of a caller whose objects are well formed by their types, and who makes many of one template.
// All but the first take over what the first became, from decoding to validation.
import type { Kind } from '../../api/kind.ts'
import type { ObjectMeta, Pod } from '../../api/types.ts'
import { formatTime } from '../../base/clock.ts'
import { randomUid } from '../../base/random.ts'
import { RevisionConflictError } from '../../store/store.ts'
import { admitIntoNamespace } from '../admission/namespace-lifecycle.ts'
import { chargeQuotas, readNamespace, readPodRules } from './admit.ts'
import { create } from './create.ts'
import { Entry } from './entry.ts'
import type { NewObject } from './input.ts'
import { generateName } from './naming.ts'
import type { PodRules } from './pod-moulds.ts'
import type { FirstOfTemplate } from './pod-templates.ts'
import type { Input, WriteOptions } from './rest.ts'
import { entryOf, keyOf, type Scope } from './scope.ts'

export async function createTrusted(scope: Scope, kind: Kind, namespace: string, input: Input, options: WriteOptions): Promise<Entry> {
  if (kind.type !== 'core.Pod' || !('object' in input) || options.dryRun || scope.tracksFields?.(kind, undefined) !== false)
    return create(scope, kind, namespace, input, options)
  const given = input.object as Pod
  const rules = readPodRules(scope, namespace)
  const first = given.spec && scope.templates.get(given.spec)
  const made = first && isAlike(first, given, rules) ? await createLike(scope, kind, namespace, first, given) : undefined
  if (made !== undefined) return made
  const entry = await create(scope, kind, namespace, input, options)
  // A condition says when it came about.
  const isPlain = (entry.object as Pod).status?.conditions === undefined
  if (isPlain && given.spec !== undefined && given.metadata?.generateName && !given.metadata.name)
    scope.templates.set(given.spec, { given: given.metadata, rules, pod: entry.object as Pod })
  return entry
}

function isAlike({ given, rules }: FirstOfTemplate, { metadata = {} }: Pod, { limitRanges, priorityClasses }: PodRules): boolean {
  if (rules.limitRanges !== limitRanges || rules.priorityClasses !== priorityClasses) return false
  return isSubset(given, metadata) && isSubset(metadata, given)
}

function isSubset(part: ObjectMeta, whole: ObjectMeta): boolean {
  for (const field in part)
    if (field !== 'ownerReferences' && part[field as keyof ObjectMeta] !== whole[field as keyof ObjectMeta]) return false
  return true
}

/** Undefined: its name was taken. */
async function createLike(scope: Scope, kind: Kind, namespace: string, { pod }: FirstOfTemplate, given: Pod): Promise<Entry | undefined> {
  const base = given.metadata!.generateName!
  admitIntoNamespace(kind, base, namespace, readNamespace(scope, namespace))
  const uid = randomUid(scope.random)
  const name = generateName(base, scope.random)
  const creationTimestamp = formatTime(scope.clock.now())
  const own = { name, uid, resourceVersion: '', creationTimestamp, ownerReferences: given.metadata!.ownerReferences }
  const object = { ...pod, metadata: { ...pod.metadata, ...own } } as NewObject
  const release = chargeQuotas(scope, kind, object, false)
  try {
    return entryOf(
      scope,
      kind,
      await scope.store.put(keyOf(kind, namespace, name), 0, { source: new Entry(kind, scope.parsed, undefined, object) }),
    )
  } catch (error) {
    if (error instanceof RevisionConflictError) return undefined
    throw error
  } finally {
    release()
  }
}
