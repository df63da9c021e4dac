// A real control plane with simulated nodes, and what the benchmarks on it share.
import { nodes as nodeKind } from '../src/api/kinds.ts'
import { missing, type RealControlPlane, startRealControlPlane } from '../test/real-cluster/real-control-plane.ts'
import { type RunningCommand, run, until } from '../test/real-cluster/running-command.ts'

export const args = process.argv.slice(2)
export const flag = (name: string): string | undefined => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined)

/** For Node.js: --profile FOLDER writes a CPU profile of the process there when it ends. */
export const profiles = flag('--profile')
/** As in the container image: see deploy/Dockerfile. */
const imageFlags = ['--max-semi-space-size=4']
export const nodeFlags = profiles === undefined ? imageFlags : [...imageFlags, '--cpu-prof', '--cpu-prof-dir', profiles]
export const imageVariables = { MALLOC_ARENA_MAX: '1' }
export const patienceMs = 1_200_000

/** Ends the program where the programs of Kubernetes are missing. `start` starts those that the benchmark needs. */
export async function withRealCluster(
  nodeCount: number,
  nodeOptions: readonly string[],
  start: (plane: RealControlPlane) => Promise<unknown>,
  measure: (plane: RealControlPlane, nodes: RunningCommand) => Promise<void>,
): Promise<void> {
  if (missing !== undefined) {
    process.stderr.write(`error: ${missing}\n`)
    process.exit(2)
  }
  const plane = await startRealControlPlane()
  await start(plane)
  const limits = ['--kube-api-qps', '100000', '--kube-api-burst', '100000']
  const nodes = run(['nodes', '--kubeconfig', plane.kubeconfig, '--nodes', String(nodeCount), ...nodeOptions, ...limits])
  try {
    await until(
      'the nodes are ready',
      async () => {
        const { items } = await plane.client.list(nodeKind)
        return items.length === nodeCount && items.every(({ spec }) => (spec?.taints ?? []).length === 0)
      },
      patienceMs,
    )
    await measure(plane, nodes)
  } finally {
    await nodes.end('SIGKILL')
    await plane.stop()
  }
}
