// Runs `rollcall simulate --from-cluster` without a workload: which rollouts of a cluster overshoot.
import { formatTime, realClock } from '../base/clock.ts'
import { createHttpClient } from '../client/http-client.ts'
import { rollcallVersion } from '../cluster/version.ts'
import { InputError } from '../simulate/rollout/input-error.ts'
import { styleOf } from '../simulate/rollout/output/style.ts'
import { parseNodePrice } from '../simulate/rollout/price.ts'
import { surveyCluster } from '../simulate/survey/survey.ts'
import { surveyLines } from '../simulate/survey/survey-lines.ts'
import { readNamedKubeconfig } from './cluster-connection.ts'
import { isData, printData } from './flag-values.ts'
import { progressBar } from './progress-bar.ts'
import type { SimulateCommandOptions } from './simulate.ts'

/** The flags that a survey has. The others are about workloads that are named. */
const ownFlags: readonly (keyof SimulateCommandOptions)[] = [
  ...(['fromCluster', 'allNamespaces', 'namespace', 'kubeconfig', 'context', 'config', 'output', 'filename'] as const),
  ...(['startup', 'stop', 'timing', 'within', 'seed', 'workers', 'price'] as const),
]

/** Returns the exit code. */
export async function runSurvey(options: SimulateCommandOptions): Promise<number> {
  const other = Object.entries(options).find(
    ([name, value]) => value !== undefined && !ownFlags.includes(name as keyof SimulateCommandOptions),
  )?.[0]
  if (other !== undefined)
    throw new InputError(
      `--${other.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)} is for workloads that are named. Name them, as in rollcall simulate --from-cluster deployment/web, or deployments for all.`,
    )
  const { kubeconfig, context, allNamespaces, output, startup, stop, timing, within, seed } = options
  const connection = await readNamedKubeconfig({ kubeconfig, context }).catch((error: Error) => {
    throw new InputError(error.message)
  })
  const client = createHttpClient({ connection, name: `rollcall/${rollcallVersion}` })
  const bar = progressBar(process.stderr)
  try {
    const survey = await surveyCluster(
      {
        client,
        server: connection.server,
        namespace: allNamespaces ? undefined : (options.namespace ?? connection.namespace ?? 'default'),
        now: formatTime(realClock.now()),
        nodePrice: readPrice(options.price),
        ...{ startup, stop, timing, within, seed },
      },
      { onProgress: bar.show, workers: options.workers },
    ).finally(() => bar.clear())
    if (isData(output)) await printData(survey, output)
    else process.stdout.write(`${surveyLines(survey, styleOf(process.stdout, process.env), output === 'wide').join('\n')}\n`)
    return 0
  } finally {
    client.close()
  }
}

function readPrice(texts: readonly string[] | undefined): number | undefined {
  if (texts === undefined) return undefined
  const [price] = texts.map(parseNodePrice)
  if (price === undefined || texts.length > 1)
    throw new InputError(
      '--price: of all workloads of a cluster, one price holds for every node that is added. Write it as in --price 0.19/h.',
    )
  return price
}
