// The tokens that pods mount, as the token manager of the kubelet keeps them: a token is requested when it is first read, and replaced when 80 % of its
// lifetime, or a day, have passed.
// Kubernetes: pkg/kubelet/token.Manager.GetServiceAccountToken, Manager.requiresRefresh
import type { Pod, Stored } from '../api/types.ts'
import type { Clock } from '../base/clock.ts'
import { getOrAdd } from '../base/maps.ts'

/** Issues a token of the pod's service account that is bound to the pod. Undefined: the pod or the account does not exist. */
export type IssueToken = (pod: Stored<Pod>, audience: string | undefined, expirationSeconds: number) => string | undefined

interface KnownToken {
  readonly token: string
  readonly replacedAtMs: number
}

const usedShare = 0.8
const maxAgeMs = 24 * 3600 * 1000

export class PodTokens {
  readonly #clock: Clock
  readonly #issue: IssueToken
  /** By the uid of the pod, then by audience and lifetime. */
  readonly #tokens = new Map<string, Map<string, KnownToken>>()

  constructor(clock: Clock, issue: IssueToken) {
    this.#clock = clock
    this.#issue = issue
  }

  read(pod: Stored<Pod>, audience: string | undefined, expirationSeconds: number): string | undefined {
    const { uid } = pod.metadata
    const key = `${expirationSeconds} ${audience ?? ''}`
    const nowMs = this.#clock.now()
    const ofPod = getOrAdd(this.#tokens, uid, () => new Map<string, KnownToken>())
    const known = ofPod.get(key)
    if (known !== undefined && nowMs < known.replacedAtMs) return known.token
    const token = this.#issue(pod, audience, expirationSeconds)
    if (token === undefined) return undefined
    ofPod.set(key, { token, replacedAtMs: nowMs + Math.min(usedShare * expirationSeconds * 1000, maxAgeMs) })
    return token
  }

  forget(uid: string): void {
    this.#tokens.delete(uid)
  }
}
