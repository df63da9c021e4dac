// What `rollcall simulate` refuses: the error message and the exit code.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSimulateFolder, type SimulateFolder } from './simulate-folder.ts'

let folder: SimulateFolder
beforeAll(() => {
  folder = createSimulateFolder()
})
afterAll(() => folder?.remove())
const run: SimulateFolder['run'] = (...args) => folder.run(...args)

/** The arguments, and the one line of the error. */
const refusals: readonly (readonly [what: string, args: readonly string[], line: string | RegExp])[] = [
  ['nothing to simulate', [], /^there is nothing to simulate\. /],
  ['no such file', ['-f', 'nosuch.yaml'], 'no such file: nosuch.yaml'],
  ['a live object', ['deployment/web'], 'no such file: deployment/web. To read it from a cluster, add --from-cluster'],
  ['a directory without manifests', ['-f', 'nothing-in-it'], /^nothing-in-it has no manifest: /],
  ['not YAML', ['-f', 'broken.yaml'], /^broken\.yaml:2:1: not YAML: /],
  ['a text', ['-f', 'text.yaml'], /^text\.yaml:1:1: not a Kubernetes object: found a string/],
  ['nothing in it', ['-f', 'empty.yaml'], 'empty.yaml: the file has no object'],
  ['a list as the second document', ['-f', 'second.yaml'], /^second\.yaml:5:1: not a Kubernetes object: found a list/],
  ['no kind', ['-f', 'no-kind.yaml'], 'no-kind.yaml:1:1: not a Kubernetes object: it has no kind'],
  ['no workload', ['-f', 'config-map.yaml'], /^config-map\.yaml:1:1: there is no workload to simulate: ConfigMap is not a workload/],
  ['no such kind', ['-f', 'wrong-kind.yaml'], 'wrong-kind.yaml:1:1: no such kind: "Deploymnt" in "apps/v1"'],
  ['no quantity', ['-f', 'quantity.yaml'], 'quantity.yaml:13:41: "lots" is not a quantity. Write a quantity such as 500m, 2 or 4Gi'],
  ['what the server refuses', ['-f', 'negative.yaml'], /^negative\.yaml:5:13: the server refuses it: .*spec\.replicas: Invalid value: -3/],
  [
    'never becomes available',
    ['-f', 'too-large.yaml', '--to', 'image=x', '--nodes', '3x4cpu16Gi'],
    /^too-large\.yaml:1:1: it never becomes available, .* 4 pods: Unschedulable: 0\/3 nodes are available: 3 Insufficient cpu/,
  ],
  [
    'two versions of one workload',
    ['-f', 'web.yaml', '-f', 'negative.yaml'],
    /^negative\.yaml:1:1: Deployment web is in web\.yaml:1:1 too, and differs\. Leave one out, /,
  ],
  ['an unknown policy', ['-f', 'web.yaml', '--policies', 'Sometimes'], /^--policies: unknown policy "Sometimes"\. The policies are None, /],
  [
    'nodes of nothing',
    ['-f', 'web.yaml', '--nodes', '5x0cpu16Gi'],
    /^--nodes: cannot read nodes "5x0cpu16Gi": "0" is not an amount of cpu/,
  ],
  [
    'nodes in an unknown form',
    ['-f', 'web.yaml', '--nodes', 'some'],
    /^--nodes: cannot read nodes "some"\. Write groups such as 5x4cpu16Gi/,
  ],
  ['too many nodes', ['-f', 'web.yaml', '--nodes', '9999'], '--nodes: cannot simulate 9999 nodes. The maximum is 5000'],
  ['a wrong duration', ['-f', 'web.yaml', '--startup', 'soon'], /^--startup: cannot read duration "soon"/],
  ['a spread beyond the duration', ['-f', 'web.yaml', '--stop', '5s+-10s'], /^--stop: cannot read duration "5s\+-10s"/],
  ['a scale to nothing known', ['-f', 'web.yaml', '--scale', 'many'], /^--scale: cannot read "many"/],
  ['a scale at no time', ['-f', 'web.yaml', '--scale', '3@later'], /^--scale: cannot read duration "later"/],
  [
    'a step after the end',
    ['-f', 'web.yaml', '--scale', '3@2h'],
    '"Deployment/web: 3 replicas" at 2h 00m comes after the end. Increase --within',
  ],
  [
    'no such container',
    ['-f', 'web.yaml', '--to', 'api=x:2'],
    '--to: there is no container "api" in the manifests. Write image=x:2. The containers are web',
  ],
  [
    'a misspelt key of an image',
    ['-f', 'web.yaml', '--to', 'img=x:2'],
    '--to: there is no container "img" in the manifests. Did you mean image=x:2? The containers are web',
  ],
  [
    'two loads of one workload',
    ['-f', 'web.yaml', '--load', '10rps', '--load', 'web=20rps', '--capacity', '5rps'],
    "--load: web has two loads. Give one, with times: '100rps, 400rps@2m..10m'",
  ],
  [
    'a capacity without a load',
    ['-f', 'web.yaml', '--capacity', '50rps'],
    '--capacity: there is no load to serve. Add --load 100rps, or leave out --capacity',
  ],
  [
    'a load without a capacity',
    ['-f', 'web.yaml', '--load', '100rps'],
    '--load: requests a second need the requests a second that one pod serves. Add --capacity 50rps',
  ],
  ['a misspelt measure', ['-f', 'web.yaml', '--expect', 'peakPod <= 3'], /^--expect: unknown measure "peakPod"\. Did you mean peakPods\?/],
  [
    'a misspelt setting',
    ['-f', 'web.yaml', '--compare', 'maxSurge=1', 'maxUnavailabl=1'],
    /^--compare: unknown setting "maxUnavailabl"\. Did/,
  ],
  [
    'hooks with a given time',
    ['-f', 'web.yaml', '--stop', '9s', '--compare', 'preStop=1s,2s'],
    /^--compare: --stop says how long pods take/,
  ],
  ['an image without a key', ['-f', 'web.yaml', '--to', 'web:2'], '--to: no such file: web:2. For a new image, write image=web:2'],
  ['no image after the key', ['-f', 'web.yaml', '--to', 'image='], '--to: there is nothing after "image=". Write image=web:2'],
  ['no image after a container', ['-f', 'web.yaml', '--to', 'web='], '--to: there is nothing after "web=". Write web=web:2'],
  [
    'no name after restart',
    ['-f', 'web.yaml', '--to', 'restart='],
    '--to: there is nothing after "restart=". Write restart, or restart=web',
  ],
  ['an empty change', ['-f', 'web.yaml', '--to', ''], /^--to: there is no change\. Write image=web:2, restart, /],
  ['no such new manifest', ['-f', 'web.yaml', '--to', 'new.yaml'], 'no such file: new.yaml'],
  [
    'no such node',
    ['-f', 'web.yaml', '--nodes', '3', '--fault', 'node-9:down@1m'],
    '--fault: there is no node "node-9". The nodes are node-1 to node-3',
  ],
  ['an unknown fault', ['-f', 'web.yaml', '--fault', 'node-1:explode@1m'], /^--fault: unknown fault "explode"/],
  ['the wrong way round', ['-f', 'web.yaml', '--autoscale', '5..2'], /^--autoscale: cannot scale nodes from 5 to 2/],
  ['an unknown measure', ['-f', 'web.yaml', '--expect', 'peek <= 3'], /^--expect: unknown measure "peek"/],
  [
    'no directory for the report',
    ['-f', 'web.yaml', '--report', 'nosuch/out.html'],
    /^Cannot write nosuch\/out\.html: its directory does not exist/,
  ],
  [
    'Markdown of a comparison',
    ['-f', 'web.yaml', '--compare', 'maxSurge=0,1', '--markdown', 'out.md'],
    '--markdown is written for one setting. Leave it out with --compare, or use --report, --junit or -o json',
  ],
  [
    'one file for two flags',
    ['-f', 'web.yaml', '--report', 'out', '--json', './out'],
    '--report and --json both write to ./out. Give one of them another file',
  ],
  [
    'several traces on the standard output',
    ['-f', 'web.yaml', '--trace', '-'],
    '--trace - writes one trace. Choose a policy with --policies, or name a file',
  ],
  ['an unknown setting', ['-f', 'web.yaml', '--compare', 'surge=1'], /^--compare: unknown setting "surge"/],
  ['a price of another size', ['-f', 'web.yaml', '--price', '1cpu1Gi=1/h'], /^--price: nodes of 4cpu16Gi have no price/],
  ['no kubeconfig', ['--from-cluster', '-f', 'deployment/web', '--kubeconfig', 'nosuch'], /kubeconfig "nosuch"/],
  ['a misspelt field', ['field.yaml'], /^field\.yaml:4:5: unknown field "scael" in steps\. Did you mean scale\? The fields are at, /],
  ['a wrong duration in a scenario', ['duration.yaml'], /^duration\.yaml:3:12: cannot read duration "soon"/],
  ['a wrong expectation', ['expectation.yaml'], 'expectation.yaml:4:5: cannot compare peakPods with "lots". Write a number'],
  ['an unknown policy in a scenario', ['policy.yaml'], /^policy\.yaml:2:18: unknown policy "Sometimes"/],
  ['a scenario of a missing manifest', ['missing.yaml'], 'missing.yaml:2:5: no such file: nosuch.yaml'],
  ['wrong nodes in a scenario', ['nodes.yaml'], /^nodes\.yaml:3:5: cannot read nodes/],
  ['a step after the end of its scenario', ['late.yaml'], 'late.yaml:4:5: the step comes after the end of the scenario. Increase "within"'],
  ['a node that a scenario does not have', ['down.yaml'], 'down.yaml:3:5: there is no node "node-9". The nodes are node-1 to node-3'],
  ['a node that is never added', ['down.yaml', '--autoscale', '3..4'], 'down.yaml:3:5: there is no node "node-9"'],
  [
    'a fault of a node that is never added',
    ['-f', 'web.yaml', '--autoscale', '3..4', '--fault', 'node-9:down@1m'],
    'there is no node "node-9"',
  ],
  [
    'an undo of nothing',
    ['undo.yaml'],
    'undo.yaml:3:5: cannot undo: Deployment default/web has no earlier revision. Change its template in a step before',
  ],
  ['a scenario of nothing', ['nothing.yaml'], /^nothing\.yaml:1:1: there is no field "manifests"/],
  ['a step that does nothing', ['idle.yaml'], /^idle\.yaml:3:5: the step has no action/],
  ['a field twice', ['twice.yaml'], /^twice\.yaml:2:1: not YAML: Map keys must be unique/],
]

describe('rollcall simulate refuses', { timeout: 60_000 }, () => {
  it.each(refusals)('%s: with one line, and exit code 2', async (_, args, line) => {
    const { code, stdout, stderr } = await run(args)
    expect(stderr.split('\n')).toHaveLength(2)
    const message = stderr
      .trimEnd()
      .replace(/^error: /, '')
      .replace(/\.$/, '')
    if (typeof line === 'string') expect(message).toBe(line)
    else expect(message).toMatch(line)
    expect([code, stdout]).toEqual([2, ''])
  })
})
