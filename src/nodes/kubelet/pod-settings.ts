// Settings in pod annotations: durations, exit codes and failing probes. docs/nodes.md lists them.
// Ours: the annotations that control simulated pods.
import { settingAnnotation } from '../../api/machinery/setting-annotation.ts'
import type { Pod } from '../../api/types.ts'
import { cached } from '../../base/cached.ts'
import { readSecondsOrDurationMs } from '../../base/duration.ts'
import type { Random } from '../../base/random.ts'
import { randomFor } from './seeded-hash.ts'
import type { PodEnvironment } from './sync-context.ts'

// Durations with a spread, as annotations have them: `20s±5s` (or `20s+-5s`).
// Ours: the format of durations in our annotations.
interface SpreadDuration {
  readonly ms: number
  /** The duration is uniformly distributed between `ms - spreadMs` and `ms + spreadMs`. */
  readonly spreadMs: number
}

/** Undefined for any other format. Cached: most pods share a few values. */
export const parseSpread = cached(1000, (text: string): SpreadDuration | undefined => {
  const [length = '', spread, ...more] = text.split(/±|\+-|\+\/-/)
  const ms = readSecondsOrDurationMs(length)
  const spreadMs = spread === undefined ? 0 : readSecondsOrDurationMs(spread)
  if (ms === undefined || spreadMs === undefined || more.length > 0) return undefined
  return { ms, spreadMs }
})

/** A random duration within the spread, in whole milliseconds. */
function pickMs({ ms, spreadMs }: SpreadDuration, random: Random): number {
  if (spreadMs === 0) return Math.round(ms)
  return Math.max(0, Math.round(ms + (random.next() * 2 - 1) * spreadMs))
}

export interface Timing {
  readonly pull: SpreadDuration
  readonly start: SpreadDuration
  readonly ready: SpreadDuration
  readonly stop: SpreadDuration
}

/** In virtual time: short but not zero, so that the states in between can be observed. */
export const virtualTiming: Timing = {
  pull: { ms: 0, spreadMs: 0 },
  start: { ms: 100, spreadMs: 50 },
  ready: { ms: 0, spreadMs: 0 },
  stop: { ms: 50, spreadMs: 25 },
}

/**
 * In real time pods stop as slowly as a well-behaved container on a real node. If they were faster, a replacement with the same name
 * could exist between two requests of one `kubectl delete`, which would then wait for the replacement (kubernetes/kubernetes 135562).
 */
export const liveTiming: Timing = { ...virtualTiming, stop: { ms: 750, spreadMs: 250 } }

const prefix = 'rollcall.dev/'

/** The annotation for the container (`stop-delay.web`), or else for all containers (`stop-delay`). */
export function annotationOf(pod: Pod, name: string, container?: string): string | undefined {
  const annotations = pod.metadata?.annotations
  if (annotations === undefined) return undefined
  const own = container === undefined ? undefined : settingAnnotation(name, container)
  if (own !== undefined && Object.hasOwn(annotations, own)) return annotations[own]
  return Object.hasOwn(annotations, `${prefix}${name}`) ? annotations[`${prefix}${name}`] : undefined
}

/** The delay for this run of the container: by its annotation (`stop-delay`), or else by the timing of the node. An invalid annotation is ignored. */
export function delayMs(
  pod: Pod,
  delay: keyof Timing,
  { salt, timing }: Pick<PodEnvironment, 'salt' | 'timing'>,
  container: string,
  run: number,
): number {
  return settingMs(pod, `${delay}-delay`, salt, container, run, timing[delay])!
}

/** Undefined: neither a valid annotation nor a fallback. */
export function settingMs(
  pod: Pod,
  setting: string,
  salt: number,
  container: string,
  run: number,
  fallback?: SpreadDuration,
): number | undefined {
  const text = annotationOf(pod, setting, container)
  const duration = (text === undefined ? undefined : parseSpread(text)) ?? fallback
  if (duration === undefined) return undefined
  if (duration.spreadMs === 0) return Math.round(duration.ms)
  return pickMs(duration, randomFor(salt, pod.metadata?.uid ?? '', setting, container, run))
}

/** The exit code of the container; with `3@20%`, in this share of its runs, and 0 in the others. */
export function exitCodeSetting(pod: Pod, salt: number, container: string, run: number): number | undefined {
  const text = annotationOf(pod, 'exit-code', container)
  if (text === undefined) return undefined
  const match = /^([0-9]{1,3})(?:@([0-9.]+)%)?$/.exec(text.trim())
  if (match === null) return undefined
  const isHit =
    match[2] === undefined || randomFor(salt, pod.metadata?.uid ?? '', 'exit-code', container, run).next() * 100 < Number(match[2])
  return isHit ? Number(match[1]) & 255 : 0
}

export type ProbeKind = 'startup' | 'readiness' | 'liveness'

/** Whether `fail-probe` applies: `readiness`, `readiness,liveness`, or `liveness@30s` for a container of at least that age. */
export function failsProbe(
  pod: Pod,
  probe: ProbeKind,
  container: string,
  ageMs: number,
): { readonly fails: boolean; readonly fromMs?: number } {
  const text = annotationOf(pod, 'fail-probe', container)
  if (text === undefined) return { fails: false }
  for (const item of text.split(',')) {
    const [name = '', after] = item.trim().split('@')
    if (name !== probe && name !== 'all') continue
    const fromMs = after === undefined ? 0 : (parseSpread(after)?.ms ?? 0)
    return ageMs >= fromMs ? { fails: true } : { fails: false, fromMs }
  }
  return { fails: false }
}
