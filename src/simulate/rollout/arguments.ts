// Parses nodes, policies, scaling and faults, from the command line and from scenarios. Pure: `fail` throws with the place
// of the mistake.
import { didYouMean } from '../../base/closest-name.ts'
import { milliValue, parseQuantity } from '../../base/quantity.ts'
import type { NodeGroup } from '../../cluster/virtual-cluster.ts'
import { parseLengthMs, readSpread } from './lengths.ts'
import { numberRanges } from './number-ranges.ts'
import { type Action, type PlannedAutoscaling, type PlannedObject, type PlannedStep, type Target, targetOf } from './plan.ts'
import { type Policy, policies, rolloutPolicies } from './result.ts'
import { isWorkload } from './workload-kinds.ts'

export type Fail = (message: string) => never

const maxNodes = 5000
const [, maxReplicas] = numberRanges.replicas

/**
 * `5x4cpu16Gi`, `3x4cpu16Gi,2x8cpu32Gi`, `3`; with the pods per node: `3x4cpu16Gi110pods`; with zones, labels and taints in brackets:
 * `3x4cpu16Gi[zones=a/b/c,disk=ssd,dedicated=db:NoSchedule]`.
 */
export function readNodes(text: string, fail: Fail): NodeGroup[] {
  const hint = 'Write groups such as 5x4cpu16Gi, or 3x4cpu16Gi,2x8cpu32Gi'
  const groups = text.split(/,(?![^[\]]*\])/).map((written): NodeGroup => {
    const [, part = written, settings] = /^([^[]*)\[([^[\]]*)\]\s*$/.exec(written) ?? []
    const match = /^\s*([0-9]+)(?:\s*x\s*([0-9.]+m?)\s*cpu\s*([0-9.]+[A-Za-z]+?)(?:([0-9]+)pods)?)?\s*$/i.exec(part)
    if (match === null) return fail(`cannot read nodes "${text}". ${hint}`)
    const [, count, cpu, memory, pods] = match
    if (Number(count) === 0) fail(`cannot read nodes "${text}": a group is empty. Give at least one node`)
    const checkQuantity = (amount: string | undefined, what: string) => {
      if (amount === undefined) return
      const quantity = parseQuantity(amount)
      if (quantity === undefined || milliValue(quantity) <= 0)
        fail(`cannot read nodes "${text}": "${amount}" is not an amount of ${what}. ${hint}`)
    }
    checkQuantity(cpu, 'cpu')
    checkQuantity(memory, 'memory')
    const size = { count: Number(count), ...(cpu && { cpu }), ...(memory && { memory }), ...(pods && { pods: Number(pods) }) }
    return settings === undefined ? size : { ...size, ...readNodeSettings(settings, fail) }
  })
  const total = groups.reduce((sum, { count = 1 }) => sum + count, 0)
  if (total > maxNodes) fail(`cannot simulate ${total} nodes. The maximum is ${maxNodes}`)
  return groups
}

const taintEffects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute']

/** `zones=a/b/c`, `zone=a`, `name=db`, `disk=ssd` (a label), `dedicated=db:NoSchedule` (a taint). */
function readNodeSettings(text: string, fail: Fail): Pick<NodeGroup, 'name' | 'zones' | 'labels' | 'taints'> {
  const labels: Record<string, string> = {}
  const taints: NonNullable<NodeGroup['taints']>[number][] = []
  let zones: string[] | undefined
  let name: string | undefined
  for (const setting of text.split(',').map((one) => one.trim())) {
    const match = /^([^=:\s]+)(?:=([^:\s]*))?(?::(\w+))?$/.exec(setting)
    const [, key = '', value, effect] = match ?? []
    if (effect !== undefined && taintEffects.includes(effect)) taints.push({ key, effect, ...(value !== undefined && { value }) })
    else if (match === null || effect !== undefined || value === undefined)
      fail(`cannot read "${setting}" of nodes. Write zones=a/b, a label such as disk=ssd, or a taint such as dedicated=db:NoSchedule`)
    else if (key === 'zone' || key === 'zones') zones = value.split('/')
    else if (key === 'name') name = value
    else labels[key] = value
  }
  return {
    ...(name !== undefined && { name }),
    ...(zones !== undefined && { zones }),
    ...(Object.keys(labels).length > 0 && { labels }),
    ...(taints.length > 0 && { taints }),
  }
}

/** `all`, `none`, `none,TerminationStarted`, in any case. */
export function readPolicies(text: string, fail: Fail): Policy[] {
  if (text.trim().toLowerCase() === 'all') return [...rolloutPolicies]
  const chosen = text.split(',').map((name) => readPolicy(name, fail))
  return policies.filter((policy) => chosen.includes(policy))
}

export function readPolicy(name: string, fail: Fail): Policy {
  const wanted = name.trim().toLowerCase()
  const found = policies.find((policy) => policy.toLowerCase() === wanted)
  return (
    found ??
    fail(
      `unknown policy "${name.trim()}".${didYouMean(name.trim(), policies)} The policies are ${policies.join(', ')}; all means every one but Pacer+evictions`,
    )
  )
}

export function readLength(text: string, fail: Fail): number {
  return parseLengthMs(text) ?? fail(`cannot read duration "${text}". Write a duration such as 250ms, 90s or 1h30m`)
}

/** How long a rollout may take. */
export function readWithin(text: string, fail: Fail): number {
  return readLength(text, fail) || fail(`"${text}" leaves no time for the rollout. Write a duration such as 10m`)
}

export function readSpreadText(text: string, fail: Fail): string {
  return readSpread(text) ?? fail(`cannot read duration "${text}". Write 20s or 20s±5s (also 20s+-5s), with a spread up to the duration`)
}

export function readReplicas(text: string, fail: Fail): number {
  const count = /^[0-9]+$/.test(text.trim()) ? Number(text) : Number.NaN
  if (!(count <= maxReplicas)) fail(`cannot scale to "${text}". Give a whole number from 0 to ${maxReplicas}`)
  return count
}

/** `1..10`; `10` starts at the number of nodes; `true` chooses a maximum. */
export function readAutoscaling(text: string | true, count: number, fail: Fail): PlannedAutoscaling {
  if (text === true) return { min: count, max: Math.min(maxNodes, Math.max(count * 4, count + 10)) }
  const match = /^\s*(?:([0-9]+)\s*\.\.\s*)?([0-9]+)\s*$/.exec(text)
  if (match === null) return fail(`cannot read "${text}". Write the minimum and the maximum, such as 3..10`)
  const min = match[1] === undefined ? count : Number(match[1])
  const max = Number(match[2])
  if (min > max || max === 0 || max > maxNodes)
    fail(`cannot scale nodes from ${min} to ${max}. Write the smaller number first, up to ${maxNodes}`)
  return { min, max }
}

const scalable = new Set(['Deployment', 'StatefulSet', 'ReplicaSet', 'ReplicationController'])
const updatable = new Set(['Deployment', 'StatefulSet', 'DaemonSet'])

/**
 * `web`, `deployment/web` or `deployment/shop/web`; what is not said comes from the objects. Undefined: the only candidate.
 * `exampleOf`: how the flag is written for one of several.
 */
export function findTarget(
  name: string | undefined,
  objects: readonly PlannedObject[],
  kinds: ReadonlySet<string>,
  what: string,
  fail: Fail,
  exampleOf: (target: string) => string = (target) => target,
): Target {
  const targets = objects.filter(({ object }) => kinds.has(object.kind ?? '')).map(({ object }) => targetOf(object))
  const [own, kind, namespace] = partsOf(name)
  const fitting = targets.filter(
    (target) =>
      (own === undefined || target.name === own) &&
      (kind === undefined || target.kind.toLowerCase() === kind.toLowerCase()) &&
      (namespace === undefined || target.namespace === namespace),
  )
  // ReplicaSets beside a Deployment most likely belong to it.
  const chosen = fitting.length > 1 ? fitting.filter((target) => target.kind !== 'ReplicaSet') : fitting
  if (chosen.length === 1) return chosen[0]!
  const names = namesOfTargets(targets)
  const all = names.join(', ')
  if (targets.length === 0) return fail(`there is nothing to ${what}. The manifests have no ${[...kinds].join(', ')}`)
  if (fitting.length === 0)
    return fail(
      `there is no "${name}" to ${what}.${didYouMean(
        own ?? '',
        targets.map((target) => target.name),
      )} The candidates are ${all}`,
    )
  const example = names[targets.indexOf(chosen[0] ?? fitting[0]!)]!
  return fail(`there are several workloads to ${what}: ${all}. Name one, such as ${exampleOf(example)}`)
}

/** Name, kind and namespace. */
function partsOf(name: string | undefined): (string | undefined)[] {
  const parts = name?.split('/') ?? []
  return parts.length > 2 ? [parts.slice(2).join('/'), parts[0], parts[1]] : parts.toReversed()
}

/** `deployment/web`; with its namespace where there is another one of that name. */
function namesOfTargets(targets: readonly Target[]): string[] {
  const short = targets.map(({ kind, name }) => `${kind.toLowerCase()}/${name}`)
  return targets.map(({ kind, namespace, name }, index) =>
    short.indexOf(short[index]!) === short.lastIndexOf(short[index]!) ? short[index]! : `${kind.toLowerCase()}/${namespace}/${name}`,
  )
}

/** The name of a workload, with what tells it from others of that name. */
export function shortNameOf(target: Target, objects: readonly PlannedObject[]): string {
  const alike = objects
    .filter(isWorkload)
    .map(({ object }) => targetOf(object))
    .filter(({ name }) => name === target.name)
  return alike.length < 2 ? target.name : namesOfTargets(alike)[alike.findIndex((one) => isSameTarget(one, target))]!
}

type ExampleOf = (target: string) => string

export const scaleTarget = (name: string | undefined, objects: readonly PlannedObject[], fail: Fail, exampleOf?: ExampleOf) =>
  findTarget(name, objects, scalable, 'scale', fail, exampleOf)
export const updateTarget = (name: string | undefined, objects: readonly PlannedObject[], fail: Fail, exampleOf?: ExampleOf) =>
  findTarget(name, objects, updatable, 'update', fail, exampleOf)
/** One workload, or without a name every one that can be restarted. */
export const restartTargets = (name: string | undefined, objects: readonly PlannedObject[], fail: Fail): Target[] => {
  const all = objects.filter(({ object }) => updatable.has(object.kind ?? ''))
  if (name !== undefined || all.length === 0) return [updateTarget(name, objects, fail)]
  return all.map(({ object }) => targetOf(object))
}
export const deploymentTarget = (name: string | undefined, objects: readonly PlannedObject[], what: string, fail: Fail) =>
  findTarget(name, objects, new Set(['Deployment']), what, fail)
export const podsTarget = (name: string | undefined, objects: readonly PlannedObject[], what: string, fail: Fail) =>
  findTarget(name, objects, new Set([...scalable, ...updatable, 'Job']), what, fail)

/** What stands before the colon of an expectation: a policy, or a workload such as `web` or `deployment/web`. */
export function readSubject(
  name: string,
  objects: readonly PlannedObject[],
  fail: Fail,
): { readonly policy: Policy } | { readonly workload: Target } {
  const policy = policies.find((one) => one.toLowerCase() === name.trim().toLowerCase())
  if (policy !== undefined) return { policy }
  const kinds = new Set(objects.filter(isWorkload).map(({ object }) => object.kind ?? ''))
  const workloads = objects.filter(isWorkload).map(({ object }) => object.metadata?.name ?? '')
  if (!workloads.includes(partsOf(name.trim())[0] ?? ''))
    return fail(
      `unknown policy or workload "${name.trim()}".${didYouMean(name.trim(), [...policies, ...workloads])} The policies are ${policies.join(', ')}; the workloads are ${workloads.join(', ')}`,
    )
  return { workload: findTarget(name.trim(), objects, kinds, 'expect something of', fail) }
}

/** `3@1m,12@5m`, `web=3@1m`. Without a time, the scale happens at the start. */
export function readScale(text: string, objects: readonly PlannedObject[], fail: Fail): PlannedStep[] {
  return text.split(',').map((part) => {
    const match = /^\s*(?:([^=@\s]+)=)?([0-9]+)(?:@([^@\s]+))?\s*$/.exec(part)
    if (match === null) return fail(`cannot read "${part.trim()}". Write replicas and a time, such as 12@5m or web=12@5m`)
    const [, name, replicas = '', at] = match
    return stepOf(at === undefined ? 0 : readLength(at, fail), {
      type: 'scale',
      target: scaleTarget(name, objects, fail, (target) => `${target}=${replicas}${at === undefined ? '' : `@${at}`}`),
      replicas: readReplicas(replicas, fail),
    })
  })
}

/** `image=web:2` for the only container, `web=web:2` for a container by name, `deployment/api:web=web:2` for one of several workloads. */
export function readImage(text: string, objects: readonly PlannedObject[], fail: Fail): Action & { readonly type: 'image' } {
  const match = /^\s*(?:([^:=\s]+):)?([^=:\s/]+)=(\S+)\s*$/i.exec(text)
  if (match === null) {
    const [, workload, image] = /^\s*([a-z]+\/[^:=\s]+)=(\S+)\s*$/i.exec(text) ?? []
    if (workload !== undefined) return fail(`cannot read "${text}". Write ${workload}:image=${image}`)
    return fail(`cannot read "${text}". Write image=web:2, container=web:2, or deployment/api:container=web:2`)
  }
  const [, name, key = '', image = ''] = match
  const withContainer = objects.filter((one) => name !== undefined || key === 'image' || containersOf(one).includes(key))
  const known = [...new Set(objects.flatMap(containersOf))]
  const workloadHint = () =>
    objects.some((one) => targetOf(one.object).name === key) ? ` Write ${key}:image=${image} for the workload.` : ''
  if (withContainer.length === 0)
    fail(
      `there is no container "${key}" in the manifests.${workloadHint() || imageHint(key, image, known)} The containers are ${known.join(', ')}`,
    )
  const target = updateTarget(name, withContainer, fail, (workload) => `${workload}:${key}=${image}`)
  const chosen = withContainer.find(({ object }) => isSameTarget(targetOf(object), target))!
  const containers = containersOf(chosen)
  if (key !== 'image' && !containers.includes(key))
    fail(
      `there is no container "${key}" in ${target.kind} ${target.name}.${imageHint(key, image, containers)} The containers are ${containers.join(', ')}`,
    )
  if (key === 'image' && containers.length > 1 && !containers.includes('image'))
    fail(`${target.kind} ${target.name} has the containers ${containers.join(' and ')}. Name one, such as ${containers[0]}=${image}`)
  const container = key === 'image' && !containers.includes('image') ? containers[0] : key
  return { type: 'image', target, image, ...(container !== undefined && { container }) }
}

const isSameTarget = (a: Target, b: Target) => a.kind === b.kind && a.namespace === b.namespace && a.name === b.name

/** `image=` is the key for the only container. */
function imageHint(key: string, image: string, containers: readonly string[]): string {
  const meant = didYouMean(key, ['image', ...containers])
  const written = /^im(a?g)$/i.test(key) ? ' Did you mean image?' : meant
  return written === '' ? (containers.length === 1 ? ` Write image=${image}.` : '') : written.replace(/(\S+)\?$/, `$1=${image}?`)
}

function containersOf({ object }: PlannedObject): string[] {
  const { spec } = object as {
    readonly spec?: { readonly template?: { readonly spec?: { readonly containers?: readonly { readonly name?: string }[] } } }
  }
  const containers = spec?.template?.spec?.containers
  return Array.isArray(containers) ? containers.map(({ name }) => name ?? '') : []
}

/** `node-2:down@3m..8m`, `node-2:drain@3m`, `web:evict=3@1m`, `web:crash@2m`. */
export function readFault(
  text: string,
  objects: readonly PlannedObject[],
  nodes: readonly string[] | undefined,
  fail: Fail,
): PlannedStep[] {
  const match = /^\s*([^:@\s]+):([a-z]+)(?:=([0-9]+|all))?@([^@\s.]+(?:\.[0-9]+[a-z]+)?)(?:\.\.([^@\s]+))?\s*$/i.exec(text)
  if (match === null) return fail(`cannot read fault "${text}". Write node-2:down@3m..8m, node-2:drain@3m, web:evict=3@1m or web:crash@2m`)
  const [, subject = '', what = '', number, at = '', until] = match
  const atMs = readLength(at, fail)
  const untilMs = until === undefined ? undefined : readLength(until, fail)
  if (untilMs !== undefined && untilMs <= atMs) fail(`cannot read fault "${text}": it ends before it starts`)
  const count = number === undefined ? { count: 1 } : number === 'all' ? {} : { count: Number(number) }
  switch (what.toLowerCase()) {
    case 'down':
    case 'drain': {
      checkNode(subject, nodes, fail)
      const [begins, ends] = what.toLowerCase() === 'down' ? (['node-down', 'node-up'] as const) : (['drain', 'uncordon'] as const)
      return [
        stepOf(atMs, { type: begins, node: subject }),
        ...(untilMs === undefined ? [] : [stepOf(untilMs, { type: ends, node: subject })]),
      ]
    }
    case 'evict':
    case 'crash':
      return [stepOf(atMs, { type: what.toLowerCase() as 'evict' | 'crash', target: podsTarget(subject, objects, what, fail), ...count })]
    default:
      return fail(`unknown fault "${what}". The faults are down, drain, evict and crash`)
  }
}

/** `nodes` undefined: the autoscaler may create a node of any name. */
export function checkNode(name: string, nodes: readonly string[] | undefined, fail: Fail): void {
  if (nodes !== undefined && !nodes.includes(name)) fail(`there is no node "${name}". The nodes are ${nodes[0]} to ${nodes.at(-1)}`)
}

export const stepOf = (atMs: number, action: Action): PlannedStep => ({ atMs, action, text: describeAction(action) })

function describeAction(action: Action): string {
  const named = (target: Target) => `${target.kind}/${target.name}`
  switch (action.type) {
    case 'apply':
      return `apply ${action.objects.map(({ object }) => `${object.kind}/${object.metadata?.name}`).join(', ')}`
    case 'image':
      return `${named(action.target)}: ${action.container ?? 'image'}=${action.image}`
    case 'scale':
      return `${named(action.target)}: ${action.replicas} replicas`
    case 'evict':
    case 'crash':
      return `${action.type} ${action.count ?? 'all'} of ${named(action.target)}`
    case 'delete':
    case 'restart':
    case 'pause':
    case 'resume':
    case 'undo':
      return `${action.type} ${named(action.target)}`
    case 'check':
      return `look at ${named(action.target)}`
    case 'node-down':
      return `${action.node} down`
    case 'node-up':
      return `${action.node} up`
    case 'drain':
    case 'uncordon':
      return `${action.type} ${action.node}`
    case 'drain-nodes': {
      const [first, ...more] = action.nodes
      return `drain ${first}${more.length === 0 ? '' : ` and ${more.length} more`}${action.isOneByOne ? ', one by one' : ''}`
    }
  }
}
