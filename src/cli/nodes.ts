// `rollcall nodes`: simulated nodes on a real cluster.
import { isIP } from 'node:net'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { append, positiveNumber, wholeNumber } from './flag-values.ts'
import { lazyAction } from './lazy-action.ts'

export interface NodesOptions {
  readonly kubeconfig?: string
  readonly context?: string
  readonly nodes?: number
  readonly nodeFile?: string
  readonly stages?: readonly string[]
  readonly missingImage?: readonly string[]
  readonly scheduler?: boolean
  readonly kubeletAddress: { readonly address: string; readonly port: number }
  readonly kubeApiQps: number
  readonly kubeApiBurst: number
}

export function addNodesCommand(program: Command): void {
  program
    .command('nodes')
    .summary('add simulated nodes to a real cluster')
    .description(
      'Register simulated nodes with any Kubernetes API server, and simulate the pods that are bound to them: images, probes, restarts, termination. Ctrl-C stops it. The Node objects stay and become NotReady.',
    )
    .option('--kubeconfig <file>', 'how to reach the cluster (default: in-cluster, $KUBECONFIG, or ~/.kube/config)')
    .option('--context <name>', 'the context of the kubeconfig (default: the current one)')
    .option('--nodes <n>', 'how many nodes (default: 5)', wholeNumber(1, 5_000))
    .option('--node-file <file>', 'groups of nodes, or Node objects; see docs/nodes.md')
    .option('--stages <path>', "a file or folder with KWOK's Stages; can be repeated", append)
    .option('--missing-image <name>', 'an image that cannot be pulled; can be repeated', append)
    .option('--scheduler', 'also schedule pods, for a cluster without a scheduler')
    .addOption(
      new Option(
        '--kubelet-address <host[:port]>',
        'where to serve logs and exec; the API server has to reach it (default port: any that is free)',
      )
        .default({ address: '127.0.0.1', port: 0 }, '127.0.0.1')
        .argParser(readKubeletAddress),
    )
    .option('--kube-api-qps <n>', 'requests per second to the API server', positiveNumber, 1000)
    .option('--kube-api-burst <n>', 'requests in a burst', positiveNumber, 2000)
    .addHelpText(
      'after',
      `
Exit code 0: stopped by a signal. 1: the cluster did not answer. 2: a flag, a file or the kubeconfig is wrong.

Examples:
  rollcall nodes --nodes 100
  rollcall nodes --node-file nodes.yaml --stages stages/ --scheduler`,
    )
    .action(lazyAction(async () => (await import('./run-nodes.ts')).runNodes))
}

/** A node has an address, not a name: the API server connects to what it says. */
function readKubeletAddress(text: string): NodesOptions['kubeletAddress'] {
  const [, bracketed, plain, port = '0'] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(text) ?? []
  const address = bracketed ?? plain ?? ''
  if (isIP(address) === 0 || Number(port) > 65_535)
    throw new InvalidArgumentError('Give an IP address of this machine, such as 10.0.0.5 or 10.0.0.5:10250.')
  return { address, port: Number(port) }
}
