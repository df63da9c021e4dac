import { afterEach, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { coreEvents, pods } from '../../api/kinds.ts'
import type { KubernetesObject, Pod } from '../../api/types.ts'
import { seededRandom } from '../../base/random.ts'
import { type ControllerBench, openControllerBench } from '../../cluster/testing/controller-bench.ts'
import { startFleet } from '../fleet.ts'
import { virtualTiming } from '../kubelet/pod-settings.ts'
import { planNodes } from '../node-object.ts'
import { formatYaml, parsePlainYaml } from './plain-yaml.ts'
import { runQuery } from './query.ts'
import { delayOf, isMatching, nextStage, type Stage, stageProblem } from './stage.ts'
import { planStage } from './stage-actions.ts'
import { parseTemplate, renderTemplate } from './template.ts'

const pod = {
  metadata: { name: 'web', namespace: 'shop', annotations: { 'a/b': '3s' }, ownerReferences: [{ kind: 'Job' }, { kind: 'X' }] },
  spec: {
    nodeName: 'node-1',
    containers: [
      { name: 'c', image: 'nginx' },
      { name: 'd', image: 'redis' },
    ],
  },
  status: {
    phase: 'Running',
    conditions: [
      { type: 'Initialized', status: 'True' },
      { type: 'Ready', status: 'False' },
    ],
    containerStatuses: [{ restartCount: 2 }],
  },
}

describe('runQuery()', () => {
  it.each<[query: string, found: unknown[] | undefined]>([
    ['.status.phase', ['Running']],
    ['.status.podIP', []],
    ['.metadata.deletionTimestamp', []],
    ['.metadata.annotations["a/b"]', ['3s']],
    ['.metadata.annotations."a/b"', ['3s']],
    ['.metadata.ownerReferences.[].kind', ['Job', 'X']],
    ['.metadata.ownerReferences[1].kind', ['X']],
    ['.metadata.ownerReferences[-1].kind', ['X']],
    ['.metadata.nothing.[].kind', undefined],
    ['.metadata.nothing[]?.kind', []],
    ['.status.conditions.[] | select( .type == "Ready" ) | .status', ['False']],
    ['.status.conditions[] | select(.type == "Ready" and .status != "True") | .type', ['Ready']],
    ['.status.conditions | map(.type) | length', [2]],
    ['[.spec.containers[].name] | contains("d")', [true]],
    ['.status.containerStatuses[0].restartCount >= 2', [true]],
    ['.spec.nodeName // "none", .spec.other // "none"', ['node-1', 'none']],
    ['.metadata | has("name") and (has("x") | not)', [true]],
    ['.spec.containers | any(.image == "redis")', [true]],
    ['.metadata.name | startswith("we")', [true]],
    ['.metadata.name.first', undefined],
  ])('%s', (query, found) => expect(runQuery(query, pod)).toEqual(found))

  it.each<[name: string, query: string, error: string]>([
    ['many values', `.${'|(.,.)'.repeat(28)}`, 'exceeded the work limit'],
    ['many comparisons', `[.${'|(.,.)'.repeat(12)}] | (.[] == .[])`, 'exceeded the work limit'],
    ['lists that double', `.${'|[.,.]'.repeat(60)}|tostring`, 'exceeded the work limit'],
    ['deep parentheses', `${'('.repeat(5000)}.${')'.repeat(5000)}`, 'more than 2000 words'],
    ['deep lists', `${'['.repeat(900)}.${']'.repeat(900)}`, 'nested too deeply'],
    ['many commas', `${'.,'.repeat(5000)}.`, 'more than 2000 words'],
    ['a regular expression that is none', '.metadata.name | test("(")', 'Cannot read regular expression "("'],
    ['one from the object', '.metadata.pattern | test(.)', 'Cannot read regular expression "("'],
  ])('refuses %s', (_, query, error) => {
    expect(() => runQuery(query, { metadata: { name: 'web', pattern: '(' } })).toThrow(error)
  })

  it('fails like jq on absent values', () => {
    expect(['.none | keys', '.metadata.name | keys', '.none | first'].map((query) => runQuery(query, pod))).toEqual([
      undefined,
      undefined,
      undefined,
    ])
    expect(runQuery(`"${'a'.repeat(5000)}b" | test("(a+)+$")`, pod)).toEqual([false])
  })

  it('rejects invalid syntax', () => {
    expect(() => runQuery('.a | nope(1)', pod)).toThrow('Cannot read query ".a | nope(1)"')
    expect(() => runQuery('.a |', pod)).toThrow('Cannot read query')
  })
})

describe('renderTemplate()', () => {
  const functions = { Now: () => 'T', NodeIPsWith: () => ['x', 'y'] }
  it.each<[name: string, template: string, text: string]>([
    ['a path', '{{ .metadata.name }}', 'web'],
    ['a path that leads nowhere', '{{ .metadata.nope.deeper }}', '<no value>'],
    ['quotes', '{{ .metadata.name | Quote }} {{ 5 | Quote }}', '"web" "5"'],
    ['a variable', '{{ $x := "a" }}{{ $x }}{{ $x = "b" }}{{ $x }}', 'ab'],
    [
      'a variable that is changed further in',
      '{{ $x := false }}{{ range .spec.containers }}{{ if eq .name "d" }}{{ $x = true }}{{ end }}{{ end }}{{ $x }}',
      'true',
    ],
    ['a range', '{{ range .spec.containers }}[{{ .name }} {{ $.metadata.name }}]{{ end }}', '[c web][d web]'],
    ['a range with places', '{{ range $i, $one := .spec.containers }}{{ $i }}{{ $one.name }}{{ end }}', '0c1d'],
    ['a range over nothing', '{{ range .spec.initContainers }}x{{ else }}none{{ end }}', 'none'],
    ['a choice', '{{ if .spec.initContainers }}a{{ else if eq .status.phase "Running" }}b{{ else }}c{{ end }}', 'b'],
    ['with', '{{ with NodeIPsWith }}{{ index . 0 }}{{ end }}{{ with .nope }}x{{ else }}y{{ end }}', 'xy'],
    ['parentheses', '{{ or ( index .metadata.annotations "nope" ) "usual" }} {{ (index .spec.containers 1).image }}', 'usual redis'],
    ['or with nothing', '{{ $a := or .metadata.labels dict }}{{ or ( index $a "k" ) "" }}', ''],
    ['not and', '{{ if and (not .nope) (ne 1 2) }}y{{ end }}', 'y'],
    ['trimmed spaces', 'a\n{{- /* nothing */ -}}\n b {{- "c" -}} d', 'abcd'],
    ['a raw string and a format', '{{ printf "%s-%d" `a"b` 3 }}', 'a"b-3'],
    ['a context function', '{{ Now | Quote }}', '"T"'],
    ['YAML', 'x:{{ YAML .metadata.ownerReferences 1 }}', 'x:\n  - kind: "Job"\n  - kind: "X"\n  '],
  ])('renders %s', (_, template, text) => {
    expect(renderTemplate(parseTemplate(template), pod, functions)).toBe(text)
  })

  it('rejects invalid syntax', () => {
    expect(() => parseTemplate('{{ if .a }}x')).toThrow('unexpected end of template')
    expect(() => parseTemplate('{{ nope 1 }}')).toThrow('function "nope" not defined')
  })
})

describe('parsePlainYaml()', () => {
  it.each<[name: string, text: string]>([
    ['a map', "a: 1\nb: \"x: y\"\nc: 'it''s'\nd: true\ne: null\nf: plain text\ng:\n"],
    ['lists', 'a:\n- x: 1\n  y: 2\n- x: 3\nb:\n  - 1\n  - two\n'],
    ['deep', 'a:\n  b:\n  - c:\n      d: "2026-11-01T12:00:00Z"\n    e: 1\n'],
    ['blank lines', '\n\na: 1\n\n\n  \nb: 2\n'],
    ['JSON in a line', 'a: []\nb: {"x": 1}\n'],
    ['negative numbers and versions', 'a: -1\nb: 1.5\nc: v1.2\nd: 10.0.0.1\n'],
  ])('reads %s as a whole parser does', (_, text) => expect(parsePlainYaml(text)).toEqual({ value: parse(text) }))

  it.each(['a: &x 1', 'a: |\n  text', 'a: 1 # why', 'a: [x, y]', 'a: 0x1f', '- - 1'])('leaves %j to the complete parser', (text) => {
    const read = parsePlainYaml(text)
    if (read !== undefined) expect(read.value).toEqual(parse(text))
  })

  it('parses what formatYaml() writes', () => expect(parsePlainYaml(formatYaml(pod, 0))?.value).toEqual(pod))
})

const stageOf = (text: string) => parse(text) as Stage

const slow = stageOf(`
apiVersion: kwok.x-k8s.io/v1alpha1
kind: Stage
metadata: { name: come-up }
spec:
  resourceRef: { apiGroup: v1, kind: Pod }
  selector:
    matchExpressions:
    - { key: .metadata.deletionTimestamp, operator: DoesNotExist }
    - { key: .status.phase, operator: In, values: [Pending] }
  delay:
    durationMilliseconds: 1000
    durationFrom: { expressionFrom: '.metadata.annotations["come-up/delay"]' }
    jitterDurationMilliseconds: 3000
  next:
    event: { type: Normal, reason: Up, message: It is up }
    statusTemplate: |
      {{ $now := Now }}
      conditions:
      - type: Ready
        status: "True"
        lastTransitionTime: {{ $now | Quote }}
      containerStatuses:
      {{ range .spec.containers }}
      - name: {{ .name | Quote }}
        image: {{ .image | Quote }}
        ready: true
        restartCount: 0
        state:
          running:
            startedAt: {{ $now | Quote }}
      {{ end }}
      hostIP: {{ NodeIPWith .spec.nodeName | Quote }}
      podIP: {{ PodIPWith .spec.nodeName ( or .spec.hostNetwork false ) ( or .metadata.uid "" ) ( or .metadata.name "" ) ( or .metadata.namespace "" ) | Quote }}
      phase: Running
      startTime: {{ $now | Quote }}
`)
const finish = stageOf(`
apiVersion: kwok.x-k8s.io/v1alpha1
kind: Stage
metadata: { name: finish }
spec:
  resourceRef: { apiGroup: v1, kind: Pod }
  selector:
    matchLabels: { job: "yes" }
    matchExpressions:
    - { key: .status.phase, operator: In, values: [Running] }
  delay: { durationMilliseconds: 5000 }
  weight: 3
  next: { statusTemplate: "phase: Succeeded" }
`)
const fail = {
  ...finish,
  metadata: { name: 'fail' },
  spec: { ...finish.spec, weight: 1, next: { statusTemplate: 'phase: Failed' } },
} as Stage
const goAway = stageOf(`
apiVersion: kwok.x-k8s.io/v1alpha1
kind: Stage
metadata: { name: go-away }
spec:
  resourceRef: { apiGroup: v1, kind: Pod }
  selector:
    matchExpressions:
    - { key: .metadata.deletionTimestamp, operator: Exists }
  next:
    finalizers: { remove: [{ value: example.com/held }] }
    delete: true
`)

const random = () => seededRandom(4)

describe('nextStage()', () => {
  const running = { metadata: { name: 'x', labels: { job: 'yes' } }, status: { phase: 'Running' } }

  it('finds the stage that matches', () => {
    expect(nextStage([slow, finish], { metadata: { name: 'x' }, status: { phase: 'Pending' } } as Pod, 0, random())?.stage).toBe(slow)
    expect(nextStage([slow, finish], running as Pod, 0, random())).toEqual({ stage: finish, delayMs: 5000 })
    expect(nextStage([slow], running as Pod, 0, random())).toBeUndefined()
    expect(isMatching({ ...slow, spec: { ...slow.spec, selector: undefined } } as never as Stage, running as Pod)).toBe(false)
  })

  it('chooses stages in proportion to their weights', () => {
    const chance = seededRandom(9)
    const picks = Array.from({ length: 1000 }, () => nextStage([finish, fail], running as Pod, 0, chance)?.stage)
    const share = picks.filter((stage) => stage === fail).length
    expect(share).toBeGreaterThan(200)
    expect(share).toBeLessThan(300)
  })

  it('delays between the two durations, or by a value from the object', () => {
    const delays = Array.from({ length: 200 }, (_, seed) => delayOf(slow, { metadata: {} }, 0, seededRandom(seed)))
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(1000)
    expect(Math.max(...delays)).toBeLessThan(3000)
    expect(new Set(delays).size).toBeGreaterThan(50)
    expect(delayOf(slow, { metadata: { annotations: { 'come-up/delay': '10s' } } }, 0, random())).toBe(3000)
    const until = {
      ...slow,
      spec: { ...slow.spec, delay: { durationFrom: { jq: { expression: '.metadata.deletionTimestamp' } } } },
    } as Stage
    expect(delayOf(until, { metadata: { deletionTimestamp: '2026-11-01T12:00:30Z' } }, Date.UTC(2026, 10, 1, 12), random())).toBe(30_000)
  })
})

describe('stageProblem()', () => {
  it.each<[name: string, change: object, problem: string]>([
    [
      'a query',
      { selector: { matchExpressions: [{ key: '.a |', operator: 'Exists' }] } },
      'Cannot play Stage "come-up": Cannot read query ".a |"',
    ],
    [
      'an operator',
      { selector: { matchExpressions: [{ key: '.a', operator: 'Near' }] } },
      'Cannot play Stage "come-up": operator "Near" is not supported',
    ],
    [
      'CEL',
      { selector: { matchExpressions: [{ cel: { expression: 'true' } }] } },
      'Cannot play Stage "come-up": CEL expressions are not supported, use jq',
    ],
    ['a template', { next: { statusTemplate: '{{ if }}' } }, 'Cannot play Stage "come-up": cannot read {{}}'],
  ])('reports %s', (_, change, problem) => {
    expect(stageProblem({ ...slow, spec: { ...slow.spec, ...change } } as Stage)).toBe(problem)
  })

  it('accepts valid stages', () => expect([slow, finish, fail, goAway].map(stageProblem)).toEqual(Array(4).fill(undefined)))
})

describe('planStage()', () => {
  const context = { nodeName: 'node-1', nodeIp: '1.2.3.4', podIp: '5.6.7.8', startedAtMs: 0, parseYaml: parse }
  it('records the event, then patches', () => {
    const [event, patch] = planStage(slow, pod as unknown as KubernetesObject, context, Date.UTC(2026, 10, 1, 12))
    expect(event).toEqual({ type: 'event', event: { type: 'Normal', reason: 'Up', message: 'It is up' } })
    expect(patch).toMatchObject({
      type: 'patch',
      patchType: 'strategic',
      subresource: 'status',
      patch: { status: { phase: 'Running', hostIP: '1.2.3.4', podIP: '5.6.7.8', containerStatuses: [{ name: 'c' }, { name: 'd' }] } },
    })
  })

  it('removes finalizers before it deletes', () => {
    const held = { metadata: { name: 'x', finalizers: ['example.com/held', 'other/one'] } }
    expect(planStage(goAway, held, context, 0)).toEqual([
      { type: 'patch', patchType: 'json', patch: [{ op: 'replace', path: '/metadata/finalizers', value: ['other/one'] }] },
      { type: 'delete' },
    ])
  })
})

describe('a fleet with stages', () => {
  let bench: ControllerBench | undefined
  afterEach(async () => {
    await bench?.stop()
    bench = undefined
  })

  it('plays all stages of a pod in order', async () => {
    bench = await openControllerBench({
      start: (parts) => startFleet({ ...parts, timing: virtualTiming, nodes: planNodes([{ count: 1 }]), stages: [slow, finish, goAway] }),
    })
    const { client, settle, pass } = bench
    const wait = async (ms: number) => {
      for (let left = ms; left > 0; left -= 500) {
        pass(500)
        await settle()
      }
    }
    const read = async () => (await client.list(pods, { namespace: 'default' })).items[0]
    await client.create(pods, 'default', {
      metadata: { name: 'web', labels: { job: 'yes' }, finalizers: ['example.com/held'] },
      spec: { nodeName: 'node-1', containers: [{ name: 'c', image: 'x' }] },
    })
    await settle()
    expect((await read())?.status?.phase).toBe('Pending')
    await wait(3000)
    expect((await read())?.status).toMatchObject({ phase: 'Running', podIP: '10.244.0.2', containerStatuses: [{ ready: true }] })
    await wait(5000)
    expect((await read())?.status?.phase).toBe('Succeeded')
    expect((await client.list(coreEvents)).items.map(({ reason, source }) => `${reason} ${source?.host}`)).toEqual(['Up node-1'])
    await client.delete(pods, { namespace: 'default', name: 'web' })
    await wait(500)
    expect(await read()).toBeUndefined()
  })
})
