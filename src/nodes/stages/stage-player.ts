// Plays pods by stages instead of as a kubelet: waits as long as a stage says, and then does what it says.
import { pods as podKind } from '../../api/kinds.ts'
import type { Pod, Stored } from '../../api/types.ts'
import type { Client } from '../../client/client.ts'
import type { EventRecorder } from '../../runtime/event-recorder.ts'
import { chanceOf } from '../kubelet/identity.ts'
import { planStage, type StagePlace } from './play-stage.ts'
import { nextStage, type Stage, stageProblem } from './stage.ts'

export interface StagePlayerOptions {
  readonly client: Client
  readonly recorder: EventRecorder
  /** Those of other kinds than Pod are left out. */
  readonly stages: readonly Stage[]
  readonly salt: number
  readonly startedAtMs: number
  onFailure(what: string, error: unknown): void
}

/** A pod between two stages. */
export interface StageWait {
  readonly stage: Stage
  readonly dueMs: number
}

export interface StagePlayer {
  /** Resolves when stages can be played. */
  readonly ready: Promise<void>
  /** The stage that comes next. The one that is waited for stays, as long as it is the one. `played`: how many there were. */
  plan(pod: Stored<Pod>, waiting: StageWait | undefined, played: number, last: Stage | undefined, nowMs: number): StageWait | undefined
  /** Carries out the stage, and returns the pod as it is then; undefined when it is gone. */
  play(
    pod: Stored<Pod>,
    stage: Stage,
    node: { readonly name: string; readonly ip: string },
    podIp: string,
    nowMs: number,
  ): Promise<Stored<Pod> | undefined>
}

const shortestRoundMs = 1000

/** Undefined when no stage is about pods. */
export function createStagePlayer(options: StagePlayerOptions): StagePlayer | undefined {
  const { client, recorder, salt, startedAtMs, onFailure } = options
  const stages: Stage[] = []
  for (const stage of options.stages) {
    const problem = stageProblem(stage)
    if (problem !== undefined) onFailure('reading stages', new Error(problem))
    else if (stage.spec.resourceRef.kind === 'Pod') stages.push(stage)
  }
  if (stages.length === 0) return undefined
  let parseYaml: StagePlace['parseYaml'] = () => {
    throw new Error('YAML cannot be read yet')
  }
  return {
    ready: import('yaml').then(({ parse }) => {
      parseYaml = parse
    }),
    plan(pod, waiting, played, last, nowMs) {
      const planned = nextStage(stages, pod, nowMs, chanceOf(salt, pod.metadata.uid, 'stage', played))
      if (planned === undefined) return undefined
      if (planned.stage === waiting?.stage) return waiting
      // A stage that leads to itself must not go round without end at one moment.
      const delayMs = planned.stage === last ? Math.max(planned.delayMs, shortestRoundMs) : planned.delayMs
      return { stage: planned.stage, dueMs: nowMs + delayMs }
    },
    async play(pod, stage, { name, ip }, podIp, nowMs) {
      const ref = { name: pod.metadata.name, namespace: pod.metadata.namespace ?? '' }
      let current: Stored<Pod> = pod
      for (const action of planStage(stage, pod, { nodeName: name, nodeIp: ip, podIp, startedAtMs, parseYaml }, nowMs)) {
        if (action.type === 'event') {
          const { type, reason = '', message = '' } = action.event
          recorder.record(pod, type === 'Warning' ? 'Warning' : 'Normal', reason, message, { host: name })
        } else if (action.type === 'delete') {
          await client.delete(podKind, ref, { gracePeriodSeconds: 0, preconditions: { uid: pod.metadata.uid } })
          return undefined
        } else {
          const { patchType, patch, subresource } = action
          current = await client.patch(podKind, ref, patchType, patch, { ...(subresource !== undefined && { subresource }) })
        }
      }
      return current
    },
  }
}
