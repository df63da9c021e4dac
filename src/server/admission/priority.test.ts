// The message is that of kube-apiserver v1.36.4.
import { expect, it } from 'vitest'
import { priorityClasses } from '../../api/kinds.ts'
import { openBench, options, refusal } from '../rest/testing/rest-bench.ts'

it.each([
  ['system-cluster-critical', 2_000_000_000],
  ['system-node-critical', 2_000_001_000],
])('%s cannot be deleted', async (name, value) => {
  const { rest, create } = await openBench()
  await create(priorityClasses, { metadata: { name }, value })
  const { code, message } = await refusal(() => rest.delete(priorityClasses, '', name, options))
  expect([code, message]).toEqual([
    403,
    `priorityclasses.scheduling.k8s.io "${name}" is forbidden: this is a system priority class and cannot be deleted`,
  ])
})
