// Runs `rollcall explain`.
import { defaultFeatureGates } from '../api/machinery/feature-gates.ts'
import { isStatusError } from '../api/machinery/status-error.ts'
import { realClock } from '../base/clock.ts'
import { type Explanation, explainDeployment } from '../cluster/explain/explain-deployment.ts'
import { readExplained } from '../cluster/explain/read-explained.ts'
import { InputError } from '../simulate/rollout/input-error.ts'
import { printError } from './error-line.ts'
import type { ExplainOptions } from './explain.ts'
import { readSelection, type Selection, suggestionFor, unreadable } from './read-selection.ts'

export async function runExplain(name: string, options: ExplainOptions): Promise<number> {
  try {
    const selection = await readSelection([name], options, ['Deployment'])
    try {
      const explanation = await explain(selection)
      process.stdout.write(options.output === 'json' ? `${JSON.stringify(explanation, null, 2)}\n` : textOf(explanation))
      return 0
    } finally {
      selection.client.close()
    }
  } catch (error) {
    printError(error)
    return error instanceof InputError ? 2 : 1
  }
}

async function explain(selection: Selection): Promise<Explanation> {
  const { client, namespace = 'default' } = selection
  const named = selection.workloads[0]!
  const source = await readExplained(client, { namespace, name: named.name, gates: defaultFeatureGates, nowMs: realClock.now() }).catch(
    async (error: Error) => {
      if (!isStatusError(error, 'NotFound')) return unreadable(selection)(error)
      throw new Error(
        `${named.kind}/${named.name} does not exist in namespace ${namespace}.${await suggestionFor(named, client, namespace)}`,
      )
    },
  )
  return explainDeployment(source)
}

const shownPods = 10

function textOf({ name, cause, account, next, pods, budgets, refusals, controller, underTerminationComplete: other }: Explanation): string {
  const lines = [`deployment/${name}: ${cause}.`, '', `Now:   ${account}`]
  if (controller !== undefined) lines.push(`       its status was last written by ${controller}`)
  lines.push(`Next:  ${next.length === 0 ? 'nothing, until one of these changes' : next.join('; ')}`)
  for (const { pod, state, because } of pods.slice(0, shownPods)) {
    lines.push(`       pod ${pod} is ${state}`)
    for (const one of because) lines.push(`         ${one}`)
  }
  if (pods.length > shownPods) lines.push(`       and ${pods.length - shownPods} more pods`)
  for (const line of [...refusals, ...budgets]) lines.push(`       ${line}`)
  if (other !== undefined) {
    lines.push(`With podReplacementPolicy: TerminationComplete:`, `       ${other.account}`)
    lines.push(`       next: ${other.next.length === 0 ? 'nothing' : other.next.join('; ')}`)
    lines.push(`With the pacer: it would admit ${other.admittedByPacer} new ${other.admittedByPacer === 1 ? 'pod' : 'pods'} now`)
  }
  return lines.map((line) => `${line}\n`).join('')
}
