// `rollcall torture`: finds the bugs of a controller in any language.
import { type Command, Option } from 'commander'
import { append, duration, type OutputOption, outputOption, wholeNumber } from './flag-values.ts'
import { lazyAction } from './lazy-action.ts'

/** A step as it was given: its kind and its value. */
export interface GivenStep {
  readonly type: 'apply' | 'then' | 'delete'
  readonly value: string
}

export interface TortureCommandOptions extends OutputOption {
  readonly run?: string
  readonly setup?: readonly string[]
  readonly always?: readonly string[]
  readonly finally?: readonly string[]
  readonly nodes: number
  readonly controllers: string
  readonly budget: number
  readonly plans?: number
  readonly jobs: number
  readonly seed: number
  readonly learn: number
  readonly patience: number
  readonly long: number | false
  readonly replay?: string
  readonly repeat: number
  readonly report?: string
  readonly junit?: string
  readonly replays?: string
  readonly testCode?: 'go' | 'python' | 'vitest'
  /** In the order of the flags. */
  readonly steps: readonly GivenStep[]
}

export function addTortureCommand(program: Command): void {
  // In the order in which the flags are given.
  const steps: GivenStep[] = []
  const step = (type: GivenStep['type']) => (value: string) => {
    steps.push({ type, value })
    return value
  }
  program
    .command('torture')
    .summary('find the bugs of a controller in any language: crashes, stale caches, missed events, lost answers')
    .description(
      'Run a controller against forks of a prepared cluster, once without faults and then with a fault in each run: killed between two writes, with a cache that is behind, with events that it never saw, with writes that were refused or whose response was lost. A run that ends otherwise than the undisturbed one is a finding.',
    )
    .option('--run <command>', 'how the controller is started, for the shell; KUBECONFIG is set')
    .option('--setup <file>', 'manifests that exist before the controller starts, such as CRDs; may be repeated', append)
    .option('--apply <file>', 'a step: manifests to apply; may be repeated', step('apply'))
    .option('--then <file-or-command>', 'a step: manifests to apply, or a shell command; may be repeated', step('then'))
    .option('--delete <file>', 'a step: manifests whose objects are deleted; may be repeated', step('delete'))
    .option('--always <cel>', "must hold after every change: 'pods.size() <= 3'; may be repeated", append)
    .option('--finally <cel>', 'must hold at the end; may be repeated', append)
    .option('--nodes <n>', 'simulated nodes', wholeNumber(0, 1000), 3)
    .option(
      '--controllers <names>',
      'the controllers of Kubernetes that run in the cluster: all, none, or names, separated by commas',
      'all',
    )
    .option('--budget <time>', 'start no more plans after this much time', duration, 600_000)
    .option('--plans <n>', 'run at most this many plans', wholeNumber(1, 1_000_000))
    .option('--jobs <n>', 'how many plans run at a time', wholeNumber(1, 64), 2)
    .option('--seed <n>', 'the seed of the order of plans, and of names in the cluster', wholeNumber(0, 2 ** 31), 1)
    .option('--learn <time>', 'how long the controller must do nothing in the first run to count as quiet', duration, 1500)
    .option('--patience <time>', 'how long a run may take longer until its end counts as wrong', duration, 8000)
    .option(
      '--long <time>',
      'also hold events back for this long, where the budget allows: longer than the time after which controllers give up waiting',
      duration,
      310_000,
    )
    .option('--no-long', 'do not hold events back for minutes')
    .option('--replay <file>', 'run the plan of a replay file')
    .option('--repeat <n>', 'with --replay: how many times', wholeNumber(1, 10_000), 1)
    .option('--report <file>', 'write a report in HTML')
    .option('--junit <file>', 'write the findings as JUnit XML')
    .option('--replays <folder>', 'where the replay files are written', 'torture')
    .addOption(new Option('--test-code <language>', 'with --replay: print the plan as a test').choices(['go', 'python', 'vitest']))
    .addOption(outputOption())
    .addHelpText(
      'after',
      `
Exit code 0: no finding. 1: a finding, or the scenario fails without faults. 2: a flag is wrong.

Examples:
  rollcall torture --run './my-operator --kubeconfig $KUBECONFIG' --setup crds.yaml --apply cr.yaml --then patch.yaml --delete cr.yaml
  rollcall torture --run 'kopf run -A operator.py' --setup crds.yaml --apply cr.yaml --always 'pods.size() <= 3' --budget 2m --report report.html
  rollcall torture --replay torture/1.json --repeat 3`,
    )
    .hook('preAction', (command) => void command.setOptionValue('steps', steps))
    .action(lazyAction(async () => (await import('./run-torture.ts')).runTortureCommand))
}
