// Plays stages on objects: waits for the delay of a stage, then carries out its actions.
// Ours: Stages belong to KWOK, another program.
import type { Kind } from '../../api/machinery/kind.ts'
import type { KubernetesObject, Stored } from '../../api/types.ts'
import { messageOf } from '../../base/error-message.ts'
import type { Client } from '../../client/client.ts'
import type { EventRecorder } from '../../runtime/event-recorder.ts'
import { randomFor } from '../kubelet/seeded-hash.ts'
import type { WorkBudget } from '../work-budget.ts'
import { nextStage, type Stage, stageProblem } from './stage.ts'
import { planStage, type StageContext } from './stage-actions.ts'

interface StagePlayerOptions<T extends KubernetesObject> {
  readonly kind: Kind<T>
  readonly client: Client
  readonly recorder: EventRecorder
  /** Stages for other kinds are ignored. */
  readonly stages: readonly Stage[]
  readonly salt: number
  readonly startedAtMs: number
  onFailure(what: string, error: unknown): void
}

/** The stage that an object waits for. */
export interface StageWait {
  readonly stage: Stage
  readonly dueMs: number
}

export interface StagePlayer<T extends KubernetesObject> {
  /** Resolves when stages can be played. */
  readonly ready: Promise<void>
  /**
   * The next stage. If it is the one that the object already waits for, its due time is kept. `played`: the number of stages
   * played so far.
   */
  plan(
    object: Stored<T>,
    waiting: StageWait | undefined,
    played: number,
    last: Stage | undefined,
    nowMs: number,
    work?: WorkBudget,
  ): StageWait | undefined
  /** Carries out the stage and returns the new object. Undefined: the stage deleted it. */
  play(
    object: Stored<T>,
    stage: Stage,
    node: { readonly name: string; readonly ip: string },
    podIp: string,
    nowMs: number,
  ): Promise<Stored<T> | undefined>
}

const minSelfLoopMs = 1000

/** Undefined: there is no stage for this kind. */
export function createStagePlayer<T extends KubernetesObject>(options: StagePlayerOptions<T>): StagePlayer<T> | undefined {
  const { kind, client, recorder, salt, startedAtMs, onFailure } = options
  const stages: Stage[] = []
  for (const stage of options.stages) {
    const problem = stageProblem(stage)
    if (problem !== undefined) onFailure('reading stages', new Error(problem))
    else if (stage.spec.resourceRef.kind === kind.kind) stages.push(stage)
  }
  if (stages.length === 0) return undefined
  /** Records a failure as an event on the object. */
  const recordFailure = <R>(object: Stored<T>, name: string | undefined, plan: () => R): R => {
    try {
      return plan()
    } catch (error) {
      const about = name ? `stage ${JSON.stringify(name)}` : 'the stages'
      const message = `Cannot play ${about}: ${messageOf(error).slice(0, 512)}`
      recorder.record(object, 'Warning', 'StageFailed', message)
      throw error
    }
  }
  let parseYaml: StageContext['parseYaml'] = () => {
    throw new Error('YAML cannot be read yet')
  }
  return {
    ready: import('yaml').then(({ parse }) => {
      parseYaml = parse
    }),
    plan(object, waiting, played, last, nowMs, work) {
      const random = randomFor(salt, object.metadata.uid, 'stage', played)
      const planned = recordFailure(object, '', () => nextStage(stages, object, nowMs, random, work))
      if (planned === undefined) return undefined
      if (planned.stage === waiting?.stage) return waiting
      // A stage that leads to itself must not repeat without end at one time.
      const delayMs = planned.stage === last ? Math.max(planned.delayMs, minSelfLoopMs) : planned.delayMs
      return { stage: planned.stage, dueMs: nowMs + delayMs }
    },
    async play(object, stage, { name, ip }, podIp, nowMs) {
      const { namespace, uid } = object.metadata
      const ref = { name: object.metadata.name, ...(namespace !== undefined && { namespace }) }
      let current: Stored<T> = object
      const context = { nodeName: name, nodeIp: ip, podIp, startedAtMs, parseYaml }
      for (const action of recordFailure(object, stage.metadata?.name, () => planStage(stage, object, context, nowMs))) {
        if (action.type === 'event') {
          const { type, reason = '', message = '' } = action.event
          recorder.record(object, type === 'Warning' ? 'Warning' : 'Normal', reason, message, { host: name })
        } else if (action.type === 'delete') {
          await client.delete(kind, ref, { gracePeriodSeconds: 0, preconditions: { uid } })
          return undefined
        } else {
          const { patchType, patch, subresource } = action
          current = await client.patch(kind, ref, patchType, patch, { ...(subresource !== undefined && { subresource }) })
        }
      }
      return current
    },
  }
}
