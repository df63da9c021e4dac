// Makes a plan from the command line and a scenario.
import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type * as Yaml from 'yaml'
import { defined } from '../../base/defined.ts'
import { type NodeGroup, readNodeFile } from '../../cluster/virtual-cluster.ts'
import {
  checkNode,
  type Fail,
  readAutoscaling,
  readFault,
  readImage,
  readNodes,
  readPolicies,
  readScale,
  readSpreadText,
  readSubject,
  readWithin,
  restartTargets,
  shortNameOf,
  stepOf,
} from './arguments.ts'
import { assumedObjects } from './assumed-objects.ts'
import { assumedTiming } from './assumed-timing.ts'
import { readDrain } from './drained-nodes.ts'
import { withoutDuplicates } from './duplicate-objects.ts'
import { notesOfEmptyChanges } from './empty-changes.ts'
import { type Expectation, parseExpectation } from './expectations.ts'
import { InputError } from './input-error.ts'
import { formatLength } from './lengths.ts'
import { maxScale } from './load/autoscalers.ts'
import { planLoads } from './load/plan-loads.ts'
import { readManifest, type Source, sortObjects } from './manifests.ts'
import { defaultNodes, nodeNames } from './nodes.ts'
import { notesOfPaused } from './paused-workloads.ts'
import { defaultWithinMs, type Plan, type PlannedObject, type PlannedStep, type PlannedTiming, type Target } from './plan.ts'
import { averagePrice, parsePrice } from './price.ts'
import { readSources } from './read-sources.ts'
import { redactedSource } from './redacted.ts'
import { comparedPolicies, drainPolicies, type Policy } from './result.ts'
import { isScenario, readScenario, type Scenario } from './scenario.ts'
import { policyOf } from './settings.ts'
import { readTimingFile, type WorkloadTimings } from './timing-file.ts'
import { isWorkload } from './workload-kinds.ts'

/** The flags as they were written. Absent: the value of the scenario, or the default. */
export interface PlanRequest {
  /** Manifests that were read from a live cluster. */
  readonly given?: readonly Source[] | undefined
  /** The nodes of that cluster. */
  readonly givenNodes?: readonly NodeGroup[] | undefined
  /** Deployments whose rollout is under way there, and goes on at the start. In the manifests they are paused. */
  readonly inProgress?: readonly Target[] | undefined
  /** What is to be said about them. */
  readonly notes?: readonly string[] | undefined
  readonly files: readonly string[]
  readonly to: readonly string[]
  /** How long the pods of workloads of that cluster took. Flags and a timing file come first. */
  readonly givenTimings?: WorkloadTimings | undefined
  /** Manifests that are applied as the change, in place of files that `to` names. */
  readonly givenTo?: readonly Source[] | undefined
  readonly scale: readonly string[]
  readonly policies?: string | undefined
  /** Whether the user's cluster knows the field podReplacementPolicy. Absent: not known. */
  readonly clusterHasPolicies?: boolean | undefined
  readonly nodes?: string | undefined
  readonly autoscale?: string | true | undefined
  readonly prices?: readonly string[] | undefined
  readonly startup?: string | undefined
  readonly stop?: string | undefined
  /** A timing file. */
  readonly timing?: string | undefined
  readonly load?: readonly string[] | undefined
  readonly capacity?: readonly string[] | undefined
  readonly faults: readonly string[]
  /** Nodes to drain: names, or labels such as `pool=a`. */
  readonly drain?: string | undefined
  readonly oneByOne?: boolean | undefined
  readonly seed?: number | undefined
  readonly runs?: number | undefined
  readonly within?: string | undefined
  readonly expect: readonly string[]
  /** No grid of time, however many pods there are. */
  readonly exact?: boolean | undefined
  /** Refuse incomplete input, instead of assuming the missing objects. */
  readonly isStrict?: boolean | undefined
  readonly command: string
}

export async function makePlan(request: PlanRequest): Promise<Plan> {
  const yaml = await import('yaml')
  const given = [...(request.given ?? []), ...distinctFiles(request.files).flatMap((file): Source[] => readSources(file))]
  const scenarios = given.filter((source) => isScenario(yaml, source))
  if (scenarios.length > 1)
    throw new InputError(`cannot simulate several scenarios: ${scenarios.map(({ name }) => name).join(' and ')}. Give one`)
  const scenario = scenarios[0] && readScenario(yaml, scenarios[0], besideScenario(scenarios[0].name))
  const manifests = given.filter((source) => source !== scenarios[0])
  const { applied, ignored } = sortObjects(manifests.flatMap((source) => readManifest(yaml, source)))
  const { objects, scheduled } = withoutSchedules(withoutDuplicates([...(scenario?.objects ?? []), ...applied]))
  checkObjects(objects, given)
  const sources = [...(scenario?.sources ?? []), ...manifests]
  return planFrom(yaml, request, scenario, objects, sources, [...(scenario?.ignored ?? []), ...ignored, ...scheduled])
}

/** A file that is given twice, as `a.yaml` and `./a.yaml`, is read once. */
function distinctFiles(files: readonly string[]): readonly string[] {
  const seen = new Set<string>()
  return files.filter((file) => seen.size < seen.add(file === '-' ? file : resolve(file)).size)
}

const besideScenario = (scenario: string) => (path: string) =>
  readSources(scenario === 'stdin' ? path : resolve(dirname(scenario), path), path)

/** CronJobs have no rollout, and would start pods at some hour of the day. They stay where there is nothing else. */
function withoutSchedules(objects: readonly PlannedObject[]) {
  const isSchedule = ({ object }: PlannedObject) => object.kind === 'CronJob'
  if (!objects.some((one) => isWorkload(one) && !isSchedule(one))) return { objects, scheduled: [] }
  return {
    objects: objects.filter((one) => !isSchedule(one)),
    scheduled: objects.filter(isSchedule).map(({ object }) => `CronJob/${object.metadata?.name ?? ''} (it starts pods by its schedule)`),
  }
}

function checkObjects(objects: readonly PlannedObject[], sources: readonly Source[]): void {
  if (objects.some(isWorkload)) return
  const [first] = objects
  if (first === undefined) throw new InputError('the file has no object', sources[0] && { source: sources[0].name })
  throw new InputError(
    `there is no workload to simulate: ${first.object.kind} is not a workload. Add a Deployment, StatefulSet, DaemonSet or Job`,
    first.place,
  )
}

const failAt =
  (flag: string): Fail =>
  (message) => {
    throw new InputError(`${flag}: ${message}`)
  }

function planFrom(
  yaml: typeof Yaml,
  request: PlanRequest,
  scenario: Scenario | undefined,
  given: readonly PlannedObject[],
  sources: readonly Source[],
  ignored: readonly string[],
): Plan {
  const assumptions: string[] = [...(request.notes ?? [])]
  const extraSources: Source[] = []
  const changed = [
    ...request.to.flatMap((text) => readChange(yaml, text, given, extraSources)),
    ...applySources(yaml, request.givenTo ?? [], extraSources),
  ]
  assumptions.push(...notesOfEmptyChanges(changed, given))
  const load = planLoads(
    {
      load: request.load ?? scenario?.load ?? [],
      capacity: request.capacity ?? scenario?.capacity ?? [],
      readText: (path) => readLoad(path, request.load === undefined ? scenario : undefined),
    },
    given,
    [...(scenario?.steps ?? []), ...changed],
    failAt,
  )
  const { objects } = load
  assumptions.push(...load.notes)
  const scaled = request.scale.flatMap((text) => readScale(text, objects, failAt('--scale')))
  const largest = Math.max(
    0,
    ...[...scaled, ...(scenario?.steps ?? [])].map(({ action }) => (action.type === 'scale' ? action.replicas : 0)),
    maxScale(objects),
  )
  const givenNodes = request.nodes === undefined ? (scenario?.nodes ?? request.givenNodes) : readNodesOf(request.nodes)
  const nodes = givenNodes ?? defaultNodes(objects, largest)
  const count = nodes.reduce((sum, { count: own = 1 }) => sum + own, 0)
  if (givenNodes === undefined) assumptions.push(`${count} nodes of ${nodes[0]!.cpu} cpu and ${nodes[0]!.memory}: room for all (--nodes)`)
  const autoscale = request.autoscale === undefined ? scenario?.autoscale : readAutoscaling(request.autoscale, count, failAt('--autoscale'))
  const fileTimings = request.timing === undefined ? undefined : readTimingFile(yaml, readSources(request.timing)[0]!)
  const timings = request.givenTimings === undefined ? fileTimings : { ...request.givenTimings, ...fileTimings }
  const timing = readTiming(request, scenario, objects, assumptions, timings)
  const names = autoscale === undefined ? nodeNames(nodes) : undefined
  const faults = request.faults.flatMap((text) => readFault(text, objects, names, failAt('--fault')))
  const drains = request.drain === undefined ? [] : [readDrain(request.drain, nodes, request.oneByOne === true, failAt('--drain'))]
  const resumed = (request.inProgress ?? []).map((target) => ({
    ...stepOf(0, { type: 'resume', target }),
    text: `the rollout of ${target.name} goes on`,
  }))
  const steps = [...resumed, ...load.steps, ...scaled, ...faults, ...drains].sort((a, b) => a.atMs - b.atMs)
  assumptions.push(...notesOfPaused(steps, objects))
  for (const { action, place } of steps)
    if ('node' in action && place !== undefined)
      checkNode(action.node, names, (message) => {
        throw new InputError(message, place)
      })
  const withinMs = request.within === undefined ? (scenario?.withinMs ?? defaultWithinMs) : readWithin(request.within, failAt('--within'))
  const late = steps.find(({ atMs }) => atMs > withinMs)
  if (late !== undefined)
    throw new InputError(`"${late.text}" at ${formatLength(late.atMs)} comes after the end. Increase --within`, late.place)
  const applied = steps.flatMap(({ action }) => (action.type === 'apply' ? action.objects : []))
  const assumed = assumedObjects([...objects, ...applied])
  if (assumed.note !== undefined) assumptions.push(assumed.note)
  if (request.isStrict && assumed.names.length > 0)
    throw new InputError(`pods need what no manifest has: ${assumed.names.join(', ')}. Add it, or leave out --strict`)
  return {
    title: scenario?.title ?? titleOf(objects),
    command: request.command,
    sources: [...sources, ...extraSources].map((source) => redactedSource(yaml, source)),
    ignored: [...ignored, ...load.ignored],
    // Namespaces come first: assumed objects may belong to one of them.
    objects: [...objects.filter(isNamespace), ...assumed.objects, ...objects.filter((one) => !isNamespace(one))],
    nodes,
    timing,
    ...defined({ autoscale, timings, clusterHasPolicies: request.clusterHasPolicies, scenario: scenario?.place }),
    ...(request.prices !== undefined && { nodePrice: readPrices(request.prices, nodes) }),
    ...(load.loads.length > 0 && { loads: load.loads }),
    ...(load.autoscaled.length > 0 && { autoscaled: load.autoscaled }),
    policies: choosePolicies(request, scenario, objects, assumptions),
    seed: request.seed ?? scenario?.seed ?? 1,
    runs: request.runs ?? scenario?.runs ?? 1,
    steps,
    withinMs,
    ...(request.exact && { isExact: true }),
    expectations: [...(scenario?.expectations ?? []), ...request.expect.map((text) => readExpectation(text, objects))],
    assumptions,
  }
}

/** Of a file that a scenario names, beside it. */
const readLoad = (path: string, scenario: Scenario | undefined) =>
  (scenario === undefined ? readSources(path) : besideScenario(scenario.place.source)(path)).map(({ text }) => text).join('\n')

/** Groups, or the path of a file. */
function readNodesOf(text: string): readonly NodeGroup[] {
  if (!/\.(ya?ml|json)$/i.test(text)) return readNodes(text, failAt('--nodes'))
  return readSources(text).flatMap((source) => {
    try {
      const { nodes } = readNodeFile(source.text, source.name)
      return nodes.map(({ name, zone, ...node }) => ({ ...node, nodeName: name, zones: zone === undefined ? [] : [zone] }))
    } catch (error) {
      throw new InputError(`--nodes: ${(error as Error).message}`)
    }
  })
}

const isNamespace = ({ object }: PlannedObject) => object.kind === 'Namespace'

function titleOf(objects: readonly PlannedObject[]): string {
  const workloads = objects.filter(isWorkload)
  const [first] = workloads
  const more = workloads.length > 1 ? ` and ${workloads.length - 1} more` : ''
  return `${first!.object.kind} ${first!.object.metadata?.namespace ?? 'default'}/${first!.object.metadata?.name ?? ''}${more}`
}

function readChange(yaml: typeof Yaml, text: string, objects: readonly PlannedObject[], sources: Source[]): PlannedStep[] {
  const [isRestart, name] = /^restart(?:=(\S+))?$/.exec(text) ?? []
  if (isRestart !== undefined) return restartTargets(name, objects, failAt('--to')).map((target) => stepOf(0, { type: 'restart', target }))
  if (/^[^\s]+=[^\s]+$/.test(text) && !/\.(ya?ml|json)$/i.test(text)) return [stepOf(0, readImage(text, objects, failAt('--to')))]
  if (text.trim() === '')
    throw new InputError('--to: there is no change. Write image=web:2, restart, or the name of a file with new manifests')
  const [isEmpty, key] = /^(\S+)=\s*$/.exec(text) ?? []
  if (isEmpty !== undefined && !existsSync(text))
    throw new InputError(`--to: there is nothing after "${key}=". Write ${key === 'restart' ? 'restart, or restart=web' : `${key}=web:2`}`)
  if (/^\S{2,}$/.test(text) && !/\.(ya?ml|json)$/i.test(text) && !existsSync(text))
    throw new InputError(`--to: no such file: ${text}. For a new image, write image=${text}`)
  return applySources(yaml, readSources(text), sources, text)
}

/** `name` is that of the file or folder, for the error. */
function applySources(yaml: typeof Yaml, texts: readonly Source[], sources: Source[], name = texts[0]?.name): PlannedStep[] {
  if (texts.length === 0 && name === undefined) return []
  sources.push(...texts)
  const { applied } = sortObjects(texts.flatMap((source) => readManifest(yaml, source)))
  if (applied.length === 0) throw new InputError('the file has no object', name === undefined ? undefined : { source: name })
  return [stepOf(0, { type: 'apply', objects: applied })]
}

function readPrices(texts: readonly string[], nodes: Plan['nodes']): number {
  const prices = texts.map(
    (text) => parsePrice(text) ?? failAt('--price')(`cannot read "${text}". Write a size and a price, such as 4cpu16Gi=0.19/h`),
  )
  const price = averagePrice(nodes, prices)
  return typeof price === 'number' ? price : failAt('--price')(`nodes of ${price} have no price. Add --price ${price}=0.19/h`)
}

function readTiming(
  request: PlanRequest,
  scenario: Scenario | undefined,
  objects: readonly PlannedObject[],
  assumptions: string[],
  timings: WorkloadTimings | undefined,
): PlannedTiming {
  const startup = request.startup === undefined ? scenario?.timing.startup : readSpreadText(request.startup, failAt('--startup'))
  const stop = request.stop === undefined ? scenario?.timing.stop : readSpreadText(request.stop, failAt('--stop'))
  assumptions.push(...assumedTiming(objects, { startup: startup !== undefined, stop: stop !== undefined }, timings))
  return defined({ startup, stop })
}

function choosePolicies(
  request: PlanRequest,
  scenario: Scenario | undefined,
  objects: readonly PlannedObject[],
  assumptions: string[],
): readonly Policy[] {
  if (request.policies !== undefined) return readPolicies(request.policies, failAt('--policies'))
  if (scenario?.policies !== undefined) return scenario.policies
  if (request.drain !== undefined) return drainPolicies
  const deployments = objects.filter(({ object }) => object.kind === 'Deployment')
  if (deployments.length > 0)
    return comparedPolicies(
      deployments.map(({ object }) => policyOf(object)),
      request.clusterHasPolicies,
    )
  assumptions.push('one run only: pod replacement policies apply to Deployments, and there is none')
  return ['None']
}

/** `peakPods <= 13`; for one policy, one workload, or both: `TerminationComplete: web: peakOverCap == 0`. */
function readExpectation(written: string, objects: readonly PlannedObject[]): Expectation {
  const fail = failAt('--expect')
  let subjects: Partial<Expectation> = {}
  let body = written
  for (;;) {
    const [, name, rest] = /^\s*([A-Za-z][-A-Za-z0-9+./]*)\s*:\s*(.+)$/.exec(body) ?? []
    if (name === undefined || rest === undefined || name.toLowerCase() === 'completeswithin') break
    subjects = { ...subjects, ...readSubject(name, objects, fail) }
    body = rest
  }
  const expectation = parseExpectation(body)
  return typeof expectation === 'string' ? fail(expectation) : { ...expectation, ...subjects, text: textOf(expectation, subjects, objects) }
}

const textOf = ({ text }: Expectation, { workload }: Partial<Expectation>, objects: readonly PlannedObject[]) =>
  workload === undefined ? text : `${shortNameOf(workload, objects)}: ${text}`
