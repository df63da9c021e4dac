// `rollcall/testing/node-test`: the matchers for node:test and any other runner without an expect of its own.
import { AssertionError } from 'node:assert'
import type { ClusterMatchers, MatchedCluster, MatcherResult } from './matcher-api.ts'
import { matchers } from './matchers.ts'

/** `await expect(cluster).toKeepCap('deployment/web')` throws an AssertionError where it does not hold. */
export function expect(cluster: MatchedCluster): ClusterMatchers & { readonly not: ClusterMatchers } {
  const check = (isNegated: boolean): ClusterMatchers => ({
    async toKeepCap(...args) {
      judge(matchers.toKeepCap(cluster, ...args), isNegated)
    },
    async toBecomeAvailable(...args) {
      judge(await matchers.toBecomeAvailable(cluster, ...args), isNegated)
    },
  })
  return { ...check(false), not: check(true) }
}

function judge({ pass, message }: MatcherResult, isNegated: boolean): void {
  if (pass === isNegated) throw new AssertionError({ message: message() })
}
