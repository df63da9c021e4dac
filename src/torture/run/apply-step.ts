// Carries out a step of a scenario.
import { spawn } from 'node:child_process'
import { apiVersionOf, type Kind } from '../../api/machinery/kind.ts'
import type { KindSet } from '../../api/machinery/kind-set.ts'
import { ignoring } from '../../api/machinery/status-error.ts'
import type { KubernetesObject } from '../../api/types.ts'
import { realClock, sleep } from '../../base/clock.ts'
import type { Client } from '../../client/client.ts'
import type { ScenarioStep } from '../scenario.ts'

interface StepContext {
  readonly client: Client
  readonly kinds: KindSet
  readonly env: Readonly<Record<string, string | undefined>>
  readonly directory: string
}

/** How long a kind may take until it is served, after its definition was applied. */
const maxKindWaitMs = 3000

/** Throws an Error that says what failed. */
export async function applyStep(step: ScenarioStep, context: StepContext): Promise<void> {
  if (step.type === 'shell') return runShell(step.command, context)
  const { client, kinds } = context
  const objects = await readObjects(step.text)
  for (const object of step.type === 'delete' ? objects.reverse() : objects) {
    const kind = await kindOf(kinds, object)
    const { name = '', namespace = 'default' } = object.metadata ?? {}
    const ref = kind.namespaced ? { namespace, name } : { name }
    if (step.type === 'delete') await ignoring('NotFound', client.delete(kind, ref))
    else if (name === '') await client.create(kind, ref.namespace, object, { fieldManager: 'scenario' })
    else await client.patch(kind, ref, 'apply', object, { fieldManager: 'scenario', force: true })
  }
}

async function kindOf(kinds: KindSet, { apiVersion = '', kind = '' }: KubernetesObject): Promise<Kind> {
  const endMs = realClock.now() + maxKindWaitMs
  for (;;) {
    const found = kinds.all.find((one) => one.kind === kind && apiVersionOf(one) === apiVersion)
    if (found !== undefined) return found
    if (realClock.now() > endMs) throw new Error(`the server has no kind ${JSON.stringify(kind)} in ${JSON.stringify(apiVersion)}`)
    await sleep(realClock, 5)
  }
}

async function readObjects(text: string): Promise<KubernetesObject[]> {
  const { parseAllDocuments } = await import('yaml')
  const documents = [...parseAllDocuments(text)]
  for (const { errors } of documents) if (errors[0] !== undefined) throw errors[0]
  const objects = documents.map((one) => one.toJS() as (KubernetesObject & { items?: KubernetesObject[] }) | null)
  return objects.flatMap((object) => (object === null ? [] : object.kind === 'List' ? (object.items ?? []) : [object]))
}

function runShell(command: string, { env, directory }: StepContext): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn('/bin/sh', ['-c', command], { cwd: directory, env: env as NodeJS.ProcessEnv, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (piece: Buffer) => {
        output += piece.toString()
      })
    child.on('error', reject)
    child.on('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`the command ended with exit code ${code}: ${output.trim().slice(-500)}`)),
    )
  })
}
