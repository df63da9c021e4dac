// `rollcall chaos`: injects faults into a running cluster.
import { Argument, type Command, InvalidArgumentError, Option } from 'commander'
import { parseDurationMs } from '../base/duration.ts'
import { apiActions, apiVerbs, clientActions, controllerActions, nodeActions, podActions } from '../cluster/faults/fault-types.ts'
import { type ClusterOptions, withCluster } from './cluster-folder.ts'
import { ListOption, type OutputOption, outputOption, wholeNumber } from './flag-values.ts'
import { lazyAction } from './lazy-action.ts'

interface ForOption extends ClusterOptions, OutputOption {
  readonly for?: string
}

interface PodOptions extends ForOption {
  readonly namespace?: string
  readonly container?: string
  readonly exitCode?: number
}

interface ApiOptions extends ForOption {
  readonly delay?: string
  readonly share?: string
  readonly code?: string
  readonly verb?: readonly string[]
  readonly kind?: readonly string[]
  readonly agent?: readonly string[]
}

interface ClientFaultOptions extends ForOption {
  readonly user?: readonly string[]
  readonly verb?: readonly string[]
  readonly kind?: readonly string[]
  readonly subresource?: readonly string[]
  readonly namespace?: readonly string[]
  readonly object?: readonly string[]
  readonly skip?: number
  readonly times?: number
  readonly after?: string
  readonly until?: string
  readonly back?: number
  readonly delay?: string
  readonly code?: number
}

export function addChaosCommand(program: Command): void {
  const chaos = program
    .command('chaos')
    .summary('inject faults into a running cluster: nodes, pods, the API server, controllers')
    .description(
      'Inject faults into a cluster of rollcall up. A fault lasts for the time of --for (in cluster time), until it is cleared, or until the cluster stops.',
    )
    .helpCommand('help [command]', 'print the help of a command')
    .addHelpText('after', chaosHelp)

  withDuration(
    withCluster(
      chaos
        .command('node')
        .argument('<name>', 'a simulated node')
        .addArgument(new Argument('<action>', 'the fault').choices(nodeActions))
        .summary('take a node down, bring it back, or drain it')
        .addHelpText('after', nodeHelp),
    ),
  ).action(async (name: string, action: string, options: ForOption) => {
    const { runOrder } = await import('./run-chaos.ts')
    await runOrder(() => ({ target: 'node', name: bare('node', name), action, for: options.for }), options)
  })

  withDuration(
    withCluster(
      chaos
        .command('pod')
        .argument('<name>', 'a pod on a simulated node')
        .addArgument(new Argument('<action>', 'the fault').choices(podActions))
        .summary('crash a pod, let it hang, make it unready, or fail its probes')
        .option('-n, --namespace <name>', "the pod's namespace (default: that of the kubeconfig, or default)")
        .option('-c, --container <name>', 'one container (default: all containers)')
        .option('--exit-code <n>', 'the exit code of a crash (default: 137)', wholeNumber(0, 255))
        .addHelpText('after', podHelp),
    ),
  ).action(async (name: string, action: string, options: PodOptions) => {
    const { runOrder } = await import('./run-chaos.ts')
    const { container, exitCode, for: forTime } = options
    const pod = { target: 'pod', name: bare('pod', name), action, container, exitCode, for: forTime }
    await runOrder((namespace) => ({ ...pod, namespace: options.namespace ?? namespace }), options)
  })

  withDuration(
    withCluster(
      chaos
        .command('api')
        .addArgument(new Argument('<action>', 'the fault').choices(apiActions))
        .summary('delay or refuse requests to the API server')
        .option('--delay <duration>', 'how long requests wait (default: 200ms for slow, none for refuse)', duration)
        .option('--share <percent>', 'the share of the requests that is affected: 10% (default: all)', share)
        .addOption(new Option('--code <code>', 'the status code of the refusal (default: 503)').choices(['429', '500', '503']))
        .addOption(
          new ListOption('--verb <verbs>', 'only these verbs, separated by commas: get, list, watch, create, …', apiVerbs).argParser(list),
        )
        .option('--kind <kinds>', 'only these kinds, separated by commas: pods, deploy, …', list)
        .option(
          '--agent <names>',
          'only these clients, by the start of their User-Agent, separated by commas: kubectl, kubelet, job-controller, …',
          list,
        )
        .addHelpText('after', apiHelp),
    ),
  ).action(async (action: string, options: ApiOptions) => {
    const { runOrder } = await import('./run-chaos.ts')
    const { delay, share, verb: verbs, kind: kinds, agent: agents, for: forTime } = options
    const code = options.code === undefined ? undefined : Number(options.code)
    await runOrder(() => ({ target: 'api', action, delay, share, code, verbs, kinds, agents, for: forTime }), options)
  })

  addClientFaults(chaos)

  withDuration(
    withCluster(
      chaos
        .command('controller')
        .argument('<name>', 'deployment-controller, job-controller, default-scheduler, …; or all')
        .addArgument(new Argument('<action>', 'the fault').choices(controllerActions))
        .summary('stop a controller, make its cache stale, or restart it')
        .addHelpText('after', controllerHelp),
    ),
  ).action(async (name: string, action: string, options: ForOption) => {
    const { runOrder } = await import('./run-chaos.ts')
    await runOrder(() => ({ target: 'controller', name, action, for: options.for }), options)
  })

  withCluster(
    chaos
      .command('list')
      .summary('print the active faults')
      .addHelpText('after', '\nExample:\n  rollcall chaos list -o json')
      .addOption(outputOption()),
  ).action(lazyAction(async () => (await import('./run-chaos.ts')).runList))

  withCluster(
    chaos
      .command('clear')
      .argument('[ids...]', 'faults, by the ids that rollcall chaos list prints')
      .summary('end all faults, or those with the given ids')
      .addHelpText('after', '\nExample:\n  rollcall chaos clear')
      .addOption(outputOption()),
  ).action(lazyAction(async () => (await import('./run-chaos.ts')).runClear))
}

function addClientFaults(chaos: Command): void {
  withDuration(
    withCluster(
      chaos
        .command('client')
        .argument('<name>', 'the start of the User-Agent of the client, such as my-operator; or all')
        .addArgument(new Argument('<action>', 'the fault').choices(clientActions))
        .summary('hold, drop, rewind, merge or delay the watch events of one client; refuse or lose its requests')
        .option('--user <names>', 'only these users, separated by commas: system:serviceaccount:shop:operator', list)
        .addOption(new ListOption('--verb <verbs>', 'only these verbs, separated by commas', apiVerbs).argParser(list))
        .option('--kind <kinds>', 'only these kinds, separated by commas; custom resources by their plural', list)
        .option('--subresource <names>', 'only requests for these subresources, such as status', list)
        .option('--namespace <names>', 'only objects in these namespaces', list)
        .option('--object <names>', 'only the objects of these names', list)
        .option('--skip <n>', 'the first requests or events that are not affected (default: 0)', wholeNumber(0, 1_000_000))
        .option('--times <n>', 'how many requests or events are affected (default: all)', wholeNumber(1, 1_000_000))
        .option('--after <requests>', 'begin when these requests of the client were answered: "patch statefulsets 3"')
        .option('--until <requests>', 'end when these requests of the client were answered')
        .option('--back <n>', 'for rewind: how many revisions (default: 0)', wholeNumber(0, 1_000_000))
        .option('--delay <duration>', 'for delay and slow (default: 200ms)', duration)
        .option('--code <code>', 'for refuse: 409, 429, 500, 503 or 504 (default: 503)', wholeNumber(400, 599))
        .addHelpText('after', clientHelp),
    ),
  ).action(async (name: string, action: string, options: ClientFaultOptions) => {
    const { runOrder } = await import('./run-chaos.ts')
    const { user: users, verb: verbs, kind: kinds, subresource: subresources, namespace: namespaces, object: names } = options
    const { skip, times, after, until, back, delay, code, for: forTime } = options
    const agents = name === 'all' ? undefined : [name]
    const selection = { agents, users, verbs, kinds, subresources, namespaces, names }
    await runOrder(() => ({ target: 'client', action, ...selection, skip, times, after, until, back, delay, code, for: forTime }), options)
  })
}

const withDuration = (command: Command): Command =>
  command
    .option('--for <duration>', 'how long the fault lasts, in cluster time: 30s, 5m (default: until it is cleared)', duration)
    .addOption(outputOption())

/** Accepts `node/node-1`, as kubectl prints it, for `node-1`. */
const bare = (kind: string, name: string) => name.replace(new RegExp(`^${kind}s?/`), '')

const duration = (text: string): string => {
  try {
    if (parseDurationMs(text) > 0) return text
  } catch {}
  throw new InvalidArgumentError('Write a duration such as 250ms, 90s or 1h30m.')
}

const share = (text: string): string => {
  const value = /^[0-9]*\.?[0-9]+%$/.test(text) ? Number(text.slice(0, -1)) : Number.NaN
  if (!(value > 0 && value <= 100)) throw new InvalidArgumentError('Write a percentage such as 10%, up to 100%.')
  return text
}

const list = (text: string, before: readonly string[] = []): string[] => [
  ...before,
  ...text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== ''),
]

const chaosHelp = `
Exit code 0: done. 1: the cluster cannot be reached, or refuses the request. 2: a flag is wrong, or there is no such node, pod
or controller.

Examples:
  rollcall chaos node node-1 down --for 10m
  rollcall chaos node node-2 drain
  rollcall chaos pod web-59d4-x2kfq hang
  rollcall chaos api refuse --share 10% --verb create,update --for 2m
  rollcall chaos controller deployment-controller stale --for 30s
  rollcall chaos list
  rollcall chaos clear`

const nodeHelp = `
  down   the node stops its heartbeats, and its pods stay as they are. After 50 s its conditions are Unknown, its pods are not ready, and it is tainted. Pods are evicted when their tolerations (300 s) end. They stay Terminating until the node is back, the Node object is deleted, or they are deleted by force
  up     the node is back, and catches up with what was requested meanwhile. Also ends a drain
  drain  the node is cordoned, and its pods are evicted as disruption budgets allow. rollcall chaos list shows the progress

Examples:
  rollcall chaos node node-1 down --for 10m
  rollcall chaos node node-1 up`

const podHelp = `
  crash           the containers exit once; with --for, each time they run
  hang            the pod does not terminate when it is deleted: it stays Terminating after its grace period
  unready         the pod is not ready, whatever its probes report
  fail-readiness  the readiness probe fails, with the probe's thresholds
  fail-liveness   the liveness probe fails, with the probe's thresholds, and the container is restarted
  recover         ends the faults of the pod

Examples:
  rollcall chaos pod web-59d4-x2kfq crash --exit-code 1
  rollcall chaos pod web-59d4-x2kfq unready --for 1m -n shop`

const apiHelp = `
  slow    requests are delayed
  refuse  requests are answered with 503, or the code of --code

This affects all requests for objects: from clients, and from the controllers and nodes in the cluster. Health checks,
discovery and rollcall chaos itself are not affected.

Examples:
  rollcall chaos api slow --delay 500ms --for 5m
  rollcall chaos api refuse --code 429 --share 20% --agent kubectl
  rollcall chaos api refuse --verb create --kind pods --agent replicaset-controller --for 1m`

const clientHelp = `
  hold    watch events wait until the fault ends, then they are delivered in their order
  merge   likewise; of several events of one object, one remains, as for a client that lists again
  rewind  likewise; lists that Kubernetes may answer from a cache (resourceVersion=0) show an earlier state
  delay   watch events come later
  drop    watch events are lost
  refuse  requests are answered with --code
  lose    requests are handled, and the response is lost
  cut     the connection breaks before requests are handled
  slow    requests take longer
  expire  the watches end with 410 Gone

Examples:
  rollcall chaos client my-operator hold --kind pods --for 30s
  rollcall chaos client my-operator hold --kind pods --after 'patch statefulsets 3' --until 'create pods 1'
  rollcall chaos client my-operator lose --verb create --kind persistentvolumeclaims --times 1
  rollcall chaos client all expire --kind configmaps --user system:serviceaccount:shop:operator`

const controllerHelp = `
  stop     the controller dies between two calls, at whatever point it has reached
  start    a new controller starts from the stored objects; a stale one receives the changes that it missed
  stale    the controller restarts, and then receives no changes: its cache is stale
  restart  stop, then start

Examples:
  rollcall chaos controller replicaset-controller stop --for 1m
  rollcall chaos controller all restart`
