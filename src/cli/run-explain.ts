// Runs `rollcall explain`.
import { defaultFeatureGates } from '../api/machinery/feature-gates.ts'
import { isStatusError } from '../api/machinery/status-error.ts'
import { realClock } from '../base/clock.ts'
import { explain, explainedKinds } from '../cluster/explain/explain.ts'
import type { Explanation } from '../cluster/explain/explanation.ts'
import { listWith, readSurroundings } from '../cluster/explain/read-surroundings.ts'
import { kindNamed } from '../simulate/objects.ts'
import { InputError } from '../simulate/rollout/input-error.ts'
import { printError } from './error-line.ts'
import type { ExplainOptions } from './explain.ts'
import { dataText } from './flag-values.ts'
import { readSelection, type Selection, suggestionFor, unreadable } from './read-selection.ts'

export async function runExplain(name: string, options: ExplainOptions): Promise<number> {
  try {
    const selection = await readSelection([name], options, explainedKinds)
    try {
      const explanation = await read(selection)
      process.stdout.write(options.output === undefined ? textOf(explanation) : await dataText(explanation, options.output))
      return 0
    } finally {
      selection.client.close()
    }
  } catch (error) {
    printError(error)
    return error instanceof InputError ? 2 : 1
  }
}

async function read(selection: Selection): Promise<Explanation> {
  const { client, namespace = 'default' } = selection
  const { kind, name } = selection.workloads[0]!
  const choices = { gates: defaultFeatureGates, nowMs: realClock.now() }
  const object = await client.get(kindNamed(kind), { namespace, name }).catch(async (error: Error) => {
    if (!isStatusError(error, 'NotFound')) return unreadable(selection)(error)
    throw new Error(`${kind}/${name} does not exist in namespace ${namespace}.${await suggestionFor({ kind, name }, client, namespace)}`)
  })
  const surroundings = await readSurroundings(listWith(client, namespace), choices).catch(unreadable(selection))
  return explain(kind, object, surroundings)!
}

const shownPods = 10

function textOf({
  kind,
  name,
  cause,
  account,
  next,
  pods,
  evictions,
  budgets,
  refusals,
  controller,
  underTerminationComplete: other,
}: Explanation): string {
  const lines = [`${kind.toLowerCase()}/${name}: ${cause}.`, '', `Now:   ${account}`]
  if (controller !== undefined) lines.push(`       its status was last written by ${controller}`)
  lines.push(`Next:  ${next.length === 0 ? 'nothing, until one of these changes' : next.join('; ')}`)
  for (const { pod, state, because } of pods.slice(0, shownPods)) {
    lines.push(`       pod ${pod} is ${state}`)
    for (const one of because) lines.push(`         ${one}`)
  }
  if (pods.length > shownPods) lines.push(`       and ${pods.length - shownPods} more pods`)
  for (const line of [...refusals, ...evictions, ...budgets]) lines.push(`       ${line}`)
  if (other !== undefined) {
    lines.push(`With podReplacementPolicy: TerminationComplete:`, `       ${other.account}`)
    lines.push(`       next: ${other.next.length === 0 ? 'nothing' : other.next.join('; ')}`)
    lines.push(`With the pacer: it would admit ${other.admittedByPacer} new ${other.admittedByPacer === 1 ? 'pod' : 'pods'} now`)
  }
  return lines.map((line) => `${line}\n`).join('')
}
