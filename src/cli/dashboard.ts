// `rollcall dashboard`: the live page, for any cluster.
import type { Command } from 'commander'
import { wholeNumber } from './flag-values.ts'
import { lazyAction } from './lazy-action.ts'

export interface DashboardOptions {
  readonly kubeconfig?: string
  readonly context?: string
  readonly port: number
  readonly write?: boolean
}

export function addDashboardCommand(program: Command): void {
  program
    .command('dashboard')
    .summary('watch rollouts of any cluster in a browser')
    .description(
      'Serve the live page on loopback for a real cluster, through your own credentials: workloads, their pods over time with the cap, what each one waits for, and nodes. It changes nothing, unless --write is given. A cluster of rollcall up serves the page itself.',
    )
    .option('--kubeconfig <file>', 'how to reach the cluster (default: $KUBECONFIG, or ~/.kube/config)')
    .option('--context <name>', 'the context of the kubeconfig (default: the current one)')
    .option('--port <port>', 'the port to listen on; 0 means any free port', wholeNumber(0, 65_535), 0)
    .option('--write', 'also allow requests that change the cluster')
    .addHelpText(
      'after',
      `
Examples:
  rollcall dashboard
  rollcall dashboard --context production --port 8443`,
    )
    .action(lazyAction(async () => (await import('./run-dashboard.ts')).runDashboard))
}
