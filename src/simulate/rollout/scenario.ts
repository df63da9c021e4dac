// Reads scenarios: the flags of the command line as YAML, with steps and expectations. docs/simulate.md lists the fields.

import type * as Yaml from 'yaml'
import { defined } from '../../base/defined.ts'
import type { NodeGroup } from '../../cluster/virtual-cluster.ts'
import {
  checkNode,
  deploymentTarget,
  findTarget,
  podsTarget,
  readAutoscaling,
  readFault,
  readImage,
  readLength,
  readNodes,
  readPolicies,
  readPolicy,
  readReplicas,
  readSpreadText,
  readSubject,
  readWithin,
  scaleTarget,
  shortNameOf,
  stepOf,
  updateTarget,
} from './arguments.ts'
import { completesWithin, type Expectation, parseExpectation } from './expectations.ts'
import { InputError } from './input-error.ts'
import { type ReadDocument, readDocuments, readManifest, type Source, type SourceText, sortObjects } from './manifests.ts'
import { nodeNames } from './nodes.ts'
import { numberRanges } from './number-ranges.ts'
import type { Action, Place, PlannedAutoscaling, PlannedObject, PlannedStep, PlannedTiming } from './plan.ts'
import type { Policy } from './result.ts'
import { YamlReader } from './yaml-reader.ts'

export interface Scenario {
  readonly place: Place
  readonly title?: string
  readonly sources: readonly SourceText[]
  readonly objects: readonly PlannedObject[]
  /** Objects that are left out. */
  readonly ignored: readonly string[]
  readonly nodes?: readonly NodeGroup[]
  readonly autoscale?: PlannedAutoscaling
  readonly timing: PlannedTiming
  readonly load?: readonly string[]
  readonly capacity?: readonly string[]
  readonly policies?: readonly Policy[]
  readonly seed?: number
  readonly runs?: number
  readonly withinMs?: number
  readonly steps: readonly PlannedStep[]
  readonly expectations: readonly Expectation[]
}

/** Reads the manifests at a path that a scenario names. */
type ReadSources = (path: string) => SourceText[]

const fieldNames = [
  'title',
  'manifests',
  'nodes',
  'autoscale',
  'timing',
  'load',
  'capacity',
  'policies',
  'seed',
  'runs',
  'within',
  'steps',
  'expect',
] as const

/** Whether the YAML is a scenario, not a manifest. */
export function isScenario(yaml: typeof Yaml, source: Source): source is SourceText {
  if ('objects' in source) return false
  const [first, ...more] = readDocuments(yaml, source)
  const contents = first?.document.contents
  if (more.length > 0 || !yaml.isMap(contents) || contents.has('kind') || contents.has('apiVersion')) return false
  return fieldNames.some((name) => contents.has(name))
}

export function readScenario(yaml: typeof Yaml, source: SourceText, readSources: ReadSources): Scenario {
  const [document] = readDocuments(yaml, source)
  return new ScenarioReading(yaml, source, document!, readSources).read()
}

class ScenarioReading {
  readonly #yaml: typeof Yaml
  readonly #source: SourceText
  readonly #root: YamlReader
  readonly #readSources: ReadSources
  readonly #sources: SourceText[]
  readonly #ignored: string[] = []
  #objects: readonly PlannedObject[] = []
  #known: readonly PlannedObject[] = []
  #nodes: readonly NodeGroup[] | undefined
  #isAutoscaled = false

  constructor(yaml: typeof Yaml, source: SourceText, document: ReadDocument, readSources: ReadSources) {
    this.#yaml = yaml
    this.#source = source
    this.#root = new YamlReader(yaml, document, document.document.contents, 'the scenario')
    this.#readSources = readSources
    this.#sources = [source]
  }

  read(): Scenario {
    const fields = this.#root.fields(fieldNames)
    const read = <T>(name: (typeof fieldNames)[number], reader: (field: YamlReader) => T): T | undefined => {
      const field = fields.get(name)
      return field === undefined ? undefined : reader(field)
    }
    const manifests = fields.get('manifests')
    if (manifests === undefined) return this.#root.fail('there is no field "manifests". Name the manifests to simulate')
    this.#objects = this.#readObjects(manifests)
    this.#known = this.#objects
    this.#nodes = read('nodes', (field) => this.#readNodes(field))
    const autoscale = read('autoscale', (field) => this.#readAutoscale(field))
    this.#isAutoscaled = autoscale !== undefined
    const title = read('title', (field) => field.text())
    const policies = read('policies', (field) =>
      field.isList ? field.items().map((item) => readPolicy(item.text(), item.fail)) : readPolicies(field.text(), field.fail),
    )
    const seed = read('seed', (field) => field.wholeNumber(...numberRanges.seed))
    const runs = read('runs', (field) => field.wholeNumber(...numberRanges.runs))
    const withinMs = read('within', (field) => readWithin(field.text(), field.fail))
    const texts = (name: 'load' | 'capacity') => read(name, (field) => field.oneOrMany().map((one) => one.text()))
    const [load, capacity] = [texts('load'), texts('capacity')]
    const steps = read('steps', (field) => field.items().flatMap((item) => this.#readStep(item))) ?? []
    const late = steps.find(({ atMs }) => withinMs !== undefined && atMs > withinMs)
    if (late !== undefined) throw new InputError('the step comes after the end of the scenario. Increase "within"', late.place)
    return {
      place: { source: this.#source.name, line: 1, column: 1 },
      ...defined({ title, nodes: this.#nodes, autoscale, load, capacity, policies, seed, runs, withinMs }),
      sources: this.#sources,
      objects: this.#objects,
      ignored: this.#ignored,
      timing: read('timing', (field) => readTiming(field)) ?? {},
      steps,
      expectations: read('expect', (field) => readExpectations(field, this.#known)) ?? [],
    }
  }

  /** Paths of files, or the objects themselves. */
  #readObjects(field: YamlReader): readonly PlannedObject[] {
    const found = field.oneOrMany().flatMap((item): PlannedObject[] => {
      if (item.isMap) return [{ object: item.value as PlannedObject['object'], place: item.place }]
      const texts = this.#readTexts(item)
      this.#sources.push(...texts)
      return texts.flatMap((text) => readManifest(this.#yaml, text))
    })
    const { applied, ignored } = sortObjects(found)
    this.#ignored.push(...ignored)
    return applied
  }

  #readTexts(item: YamlReader): SourceText[] {
    try {
      return this.#readSources(item.text())
    } catch (error) {
      return item.fail((error as Error).message)
    }
  }

  #readNodes(field: YamlReader): readonly NodeGroup[] {
    if (!field.isList) return readNodes(field.text(), field.fail)
    return field.items().flatMap((item): NodeGroup[] => {
      if (!item.isMap) return readNodes(item.text(), item.fail)
      const group = item.fields(['count', 'name', 'cpu', 'memory', 'pods', 'zones', 'labels', 'taints', 'resources'])
      const [cpu, memory] = [group.get('cpu')?.text(), group.get('memory')?.text()]
      const count = group.get('count')?.wholeNumber(1, 5000) ?? 1
      // Validates the amounts like those of the short form.
      if (cpu !== undefined || memory !== undefined) readNodes(`${count}x${cpu ?? '4'}cpu${memory ?? '16Gi'}`, item.fail)
      return [{ ...(item.value as NodeGroup), count, ...defined({ cpu, memory }) }]
    })
  }

  #readAutoscale(field: YamlReader): PlannedAutoscaling {
    const count = this.#nodes?.reduce((sum, { count: own = 1 }) => sum + own, 0) ?? 3
    if (!field.isMap) {
      const text = field.text()
      return readAutoscaling(text === 'true' ? true : text, count, field.fail)
    }
    const group = field.fields(['min', 'max', 'delay', 'idleAfter'])
    const length = (name: string) => {
      const own = group.get(name)
      return own === undefined ? undefined : readLength(own.text(), own.fail)
    }
    return {
      ...defined({ delayMs: length('delay'), idleAfterMs: length('idleAfter') }),
      ...readAutoscaling(`${group.get('min')?.text() ?? count}..${group.get('max')?.text() ?? count * 4}`, count, field.fail),
    }
  }

  #readStep(item: YamlReader): PlannedStep[] {
    const fields = item.fields(['at', 'policies', ...Object.keys(this.#actions)])
    const at = fields.get('at')
    const atMs = at === undefined ? 0 : readLength(at.text(), at.fail)
    const own = fields.get('policies')
    const policies = own?.oneOrMany().map((one) => readPolicy(one.text(), one.fail))
    const actions = [...fields].filter(([name]) => Object.hasOwn(this.#actions, name))
    if (actions.length === 0) return item.fail(`the step has no action. Add one of ${Object.keys(this.#actions).join(', ')}`)
    return actions
      .flatMap(([name, field]) => this.#actions[name]!(field, atMs))
      .map((step) => ({ ...step, place: item.place, ...(policies !== undefined && { policies }) }))
  }

  readonly #actions: Readonly<Record<string, (field: YamlReader, atMs: number) => PlannedStep[]>> = {
    apply: (field, atMs) => {
      const objects = this.#readObjects(field)
      // Later steps may refer to these objects.
      this.#known = [...this.#known, ...objects]
      return [stepOf(atMs, { type: 'apply', objects })]
    },
    delete: (field, atMs) => {
      const kinds = new Set(this.#known.map(({ object }) => object.kind ?? ''))
      return [stepOf(atMs, { type: 'delete', target: findTarget(field.text(), this.#known, kinds, 'delete', field.fail) })]
    },
    image: (field, atMs) => {
      const text = field.text()
      return [stepOf(atMs, readImage(text.includes('=') ? text : `image=${text}`, this.#known, field.fail))]
    },
    scale: (field, atMs) =>
      this.#each(field, atMs, (key, value) => {
        // `web=12`, as the flag has it.
        const [, name = key, replicas = ''] = /^(?:([^=\s]+)=)?(.*)$/s.exec(value.text())!
        return { type: 'scale', target: scaleTarget(name, this.#known, value.fail), replicas: readReplicas(replicas, value.fail) }
      }),
    restart: (field, atMs) => this.#deploymentStep('restart', field, atMs),
    pause: (field, atMs) => this.#deploymentStep('pause', field, atMs),
    resume: (field, atMs) => this.#deploymentStep('resume', field, atMs),
    undo: (field, atMs) => this.#deploymentStep('undo', field, atMs),
    evict: (field, atMs) => this.#podsStep('evict', field, atMs),
    crash: (field, atMs) => this.#podsStep('crash', field, atMs),
    drain: (field, atMs) => this.#nodeStep('drain', field, atMs),
    uncordon: (field, atMs) => this.#nodeStep('uncordon', field, atMs),
    down: (field, atMs) => this.#nodeStep('node-down', field, atMs),
    up: (field, atMs) => this.#nodeStep('node-up', field, atMs),
    fault: (field, atMs) => readFault(`${field.text()}@${atMs}ms`, this.#known, this.#nodeNames(), field.fail),
    expect: (field, atMs) => this.#readChecks(field, atMs),
  }

  /** `12`, or `{ web: 12, api: 3 }`. */
  #each(field: YamlReader, atMs: number, make: (name: string | undefined, value: YamlReader) => Action): PlannedStep[] {
    const entries: [string | undefined, YamlReader][] = field.isMap ? [...field.fields()] : [[undefined, field]]
    return entries.map(([name, value]) => stepOf(atMs, make(name, value)))
  }

  #deploymentStep(type: 'restart' | 'pause' | 'resume' | 'undo', field: YamlReader, atMs: number): PlannedStep[] {
    const text = field.text()
    const name = text === 'true' ? undefined : text
    const target = type === 'restart' ? updateTarget(name, this.#known, field.fail) : deploymentTarget(name, this.#known, type, field.fail)
    return [stepOf(atMs, { type, target })]
  }

  #podsStep(type: 'evict' | 'crash', field: YamlReader, atMs: number): PlannedStep[] {
    return this.#each(field, atMs, (name, value) => {
      const count = value.text() === 'all' ? {} : { count: value.wholeNumber(1, 50_000) }
      return { type, target: podsTarget(name, this.#known, type, value.fail), ...count }
    })
  }

  #nodeStep(type: 'drain' | 'uncordon' | 'node-down' | 'node-up', field: YamlReader, atMs: number): PlannedStep[] {
    return field.oneOrMany().map((item) => {
      checkNode(item.text(), this.#nodeNames(), item.fail)
      return stepOf(atMs, { type, node: item.text() })
    })
  }

  #nodeNames(): readonly string[] | undefined {
    return this.#isAutoscaled || this.#nodes === undefined ? undefined : nodeNames(this.#nodes)
  }

  /** `{ ReplicaSet/web-1: { spec.replicas: 71 } }`. */
  #readChecks(field: YamlReader, atMs: number): PlannedStep[] {
    return [...field.fields()].map(([name, values]) => {
      const [kind = '', own] = name.split('/', 2)
      if (own === undefined) values.fail(`cannot read "${name}". Write kind and name, such as ReplicaSet/web-1`)
      const namespace = this.#known.find(({ object }) => object.metadata?.namespace !== undefined)?.object.metadata?.namespace ?? 'default'
      const expected = [...values.fields()].map(([path, value]) => ({ path, value: value.value }))
      return stepOf(atMs, { type: 'check', target: { kind, namespace, name: own ?? '' }, expected })
    })
  }
}

function readTiming(field: YamlReader): PlannedTiming {
  const fields = field.fields(['startup', 'stop'])
  const text = (name: string) => {
    const own = fields.get(name)
    return own === undefined ? undefined : readSpreadText(own.text(), own.fail)
  }
  return defined({ startup: text('startup'), stop: text('stop') })
}

type Subjects = Pick<Expectation, 'policy' | 'workload'>

/** An expression, a list of them, `completesWithin: 10m`, or any of these under the name of a policy or a workload. */
function readExpectations(field: YamlReader, objects: readonly PlannedObject[], subjects: Subjects = {}): Expectation[] {
  if (field.isList) return field.items().flatMap((item) => readExpectations(item, objects, subjects))
  if (!field.isMap) return [readExpectation(field, parseExpectation(field.text()), subjects, objects)]
  return [...field.fields()].flatMap(([name, value]) => {
    if (name === 'completesWithin') return [readExpectation(value, completesWithin(value.text()), subjects, objects)]
    const subject = readSubject(name, objects, value.fail)
    if (Object.keys(subject).some((key) => Object.hasOwn(subjects, key)))
      return value.fail(`cannot read expectation "${name}". Write an expression such as "peakPods <= 13"`)
    return readExpectations(value, objects, { ...subjects, ...subject })
  })
}

function readExpectation(
  field: YamlReader,
  expectation: Expectation | string,
  subjects: Subjects,
  objects: readonly PlannedObject[],
): Expectation {
  if (typeof expectation === 'string') return field.fail(expectation)
  const { workload } = subjects
  return {
    ...expectation,
    ...subjects,
    place: field.place,
    ...(workload !== undefined && { text: `${shortNameOf(workload, objects)}: ${expectation.text}` }),
  }
}
