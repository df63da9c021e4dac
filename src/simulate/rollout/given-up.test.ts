import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { makePlan } from './make-plan.ts'
import { runOnce } from './run-once.ts'

it('runOnce() ends when nobody wants its outcome any more', async () => {
  const web = fileURLToPath(new URL('../../../examples/simulate/web.yaml', import.meta.url))
  const plan = await makePlan({ files: [web], to: ['web=web:2'], scale: ['3@10h'], faults: [], expect: [], within: '20h', command: '' })
  let asked = 0
  const isGivenUp = () => ++asked > 3
  await expect(runOnce({ plan, policy: 'None', seed: 1, isGivenUp })).rejects.toThrow('nobody wants to know')
  expect(asked).toBe(4)
})
