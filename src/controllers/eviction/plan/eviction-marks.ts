// What is noted on a pod that is to be evicted, as annotations: the request, which the webhook notes, and what the controller, or the pacer,
// has done about it. Nothing else remembers an eviction, so any replica can continue where another one was killed.
// Ours: surge before eviction exists in Rollcall only.
import type { KubernetesObject } from '../../../api/types.ts'
import { formatTime, parseTime } from '../../../base/clock.ts'

/** When the eviction was requested first: the place in the queue. */
const requestedAtKey = 'rollcall.dev/eviction-requested-at'
/** When it was requested last. Requests that stop end the wait. */
const lastRequestAtKey = 'rollcall.dev/eviction-last-request-at'
/**
 * Since when the pod is being replaced, how many other pods have to be available before it is evicted, and its uid: annotations of a pod
 * template are copied to every pod.
 */
const replacingKey = 'rollcall.dev/eviction-replacing'
/** Why the eviction may pass, and since when. */
const answerKey = 'rollcall.dev/eviction-answer'

export type EvictionAnswer = 'Replaced' | 'NotNeeded' | 'TimedOut'

export interface EvictionMarks {
  readonly requestedMs?: number
  readonly lastRequestMs?: number
  readonly replacing?: { readonly atMs: number; readonly floor: number; readonly uid: string | undefined }
  readonly answer?: { readonly atMs: number; readonly reason: string }
}

/** Values that cannot be read are absent. */
export function evictionMarksOf({ metadata }: KubernetesObject): EvictionMarks {
  const annotations = metadata?.annotations
  if (annotations === undefined) return noMarks
  const requestedMs = timeIn(annotations[requestedAtKey])
  const lastRequestMs = timeIn(annotations[lastRequestAtKey]) ?? requestedMs
  const [replacingTime, floor, uid] = (annotations[replacingKey] ?? '').split(' ')
  const replacingMs = timeIn(replacingTime)
  const [answerTime, reason = ''] = (annotations[answerKey] ?? '').split(' ')
  const answerMs = timeIn(answerTime)
  return {
    ...(requestedMs !== undefined && { requestedMs }),
    ...(lastRequestMs !== undefined && { lastRequestMs }),
    ...(replacingMs !== undefined && { replacing: { atMs: replacingMs, floor: Number(floor) || 0, uid } }),
    ...(answerMs !== undefined && { answer: { atMs: answerMs, reason } }),
  }
}

const noMarks: EvictionMarks = {}

export function hasEvictionMarks({ metadata }: KubernetesObject): boolean {
  const annotations = metadata?.annotations
  if (annotations === undefined) return false
  return Object.hasOwn(annotations, requestedAtKey) || Object.hasOwn(annotations, replacingKey) || Object.hasOwn(annotations, answerKey)
}

/** Whether its controller has created another pod in its place, or is about to. */
export function isBeingReplaced({ metadata }: KubernetesObject): boolean {
  const annotations = metadata?.annotations
  if (annotations === undefined || !Object.hasOwn(annotations, replacingKey)) return false
  const uid = metadata?.uid ?? ''
  return uid !== '' && annotations[replacingKey]!.endsWith(` ${uid}`)
}

function timeIn(text: string | undefined): number | undefined {
  const ms = text === undefined || text === '' ? Number.NaN : parseTime(text)
  return Number.isNaN(ms) ? undefined : ms
}

/** Two pods may be requested within a second. */
const precise = (ms: number) => new Date(ms).toISOString()

type AnnotationChange = Readonly<Record<string, string | null>>

export const requestMark = (nowMs: number): AnnotationChange => ({ [requestedAtKey]: precise(nowMs), [lastRequestAtKey]: precise(nowMs) })
export const lastRequestMark = (nowMs: number): AnnotationChange => ({ [lastRequestAtKey]: precise(nowMs) })
export const replacingMark = (nowMs: number, floor: number, uid: string): AnnotationChange => ({
  [replacingKey]: `${formatTime(nowMs)} ${floor} ${uid}`,
})
export const answerMark = (nowMs: number, reason: EvictionAnswer): AnnotationChange => ({ [answerKey]: `${formatTime(nowMs)} ${reason}` })
/** Its ReplicaSet counts the pod again. */
export const notReplacing: AnnotationChange = { [replacingKey]: null }
export const noneOfTheMarks: AnnotationChange = {
  [requestedAtKey]: null,
  [lastRequestAtKey]: null,
  [replacingKey]: null,
  [answerKey]: null,
}
