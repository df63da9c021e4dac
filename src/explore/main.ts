// `npm run explore -- [NAME …]`: the worlds with these names; without a name those of CI; `all` for every one.
import '../api/kinds.ts'
import { realClock } from '../base/clock.ts'
import { explore, type Violation } from './explorer.ts'
import { worlds } from './scopes.ts'
import { survey } from './survey.ts'
import type { World } from './world.ts'

const names = process.argv.slice(2)
const chosen = worlds.filter(({ name, isInCi }) => (names.length === 0 ? isInCi : names.includes('all') || names.includes(name)))
if (chosen.length === 0) console.error(`error: no world has this name. Choose one of: ${worlds.map(({ name }) => name).join('; ')}.`)

function print({ problem, start, codes, actions, states }: Violation): void {
  console.log(`Violation: ${problem}\n      ${states[0]}`)
  for (const [index, action] of actions.entries()) console.log(`  ${index + 1}. ${action}\n      ${states[index + 1]}`)
  console.log(`  To replay it: replay(world, ${start}, ${JSON.stringify(codes)})\n`)
}

/** More states of the usual 17 words do not fit into 8 GB. */
const maxStored = 60_000_000

/** Visits the states of a large world without storing them. If anything is wrong, the shortest way to it is searched for. */
function visitLarge(open: () => World, onProgress: (states: number, steps: number, more: string) => void) {
  const result = survey(open(), {
    onProgress: (states, steps, waiting) => onProgress(states, steps, `${waiting} waiting`),
    onProblem: (problem, state) => console.log(`Violation: ${problem}\n      ${state}`),
  })
  if (result.problems.length === 0) return { ...result, violations: [] }
  const onStored = (states: number, steps: number, depth: number) => onProgress(states, steps, `depth ${depth}`)
  return { ...result, violations: explore(open(), { maxStates: maxStored, onProgress: onStored }).violations }
}

let found = chosen.length === 0 ? 1 : 0
for (const { name, isLarge, open } of chosen) {
  const startMs = realClock.now()
  const seconds = () => ((realClock.now() - startMs) / 1000).toFixed(0)
  const before = process.cpuUsage()
  const onProgress = (states: number, steps: number, more: string) => {
    if (process.stderr.isTTY) process.stderr.write(`\r${name}: ${states} states, ${steps} steps, ${more}, ${seconds()} s `)
  }
  const result = isLarge
    ? visitLarge(open, onProgress)
    : explore(open(), { findsAll: true, onProgress: (states, steps, depth) => onProgress(states, steps, `depth ${depth}`) })
  if (process.stderr.isTTY) process.stderr.write('\r')
  const { states, transitions, violations } = result
  const problems = 'problems' in result ? result.problems.length : violations.length
  const depth = 'depth' in result ? `, depth ${result.depth}` : ''
  const cpu = (process.cpuUsage(before).user / 1e6).toFixed(0)
  const memory = (process.memoryUsage().rss / 2 ** 20).toFixed(0)
  console.log(
    `${name}: ${states} states, ${transitions} steps${depth}, ${seconds()} s (${cpu} s of processor), ${memory} MiB, ${problems} violations`,
  )
  violations.forEach(print)
  found += problems
}
process.exitCode = found === 0 ? 0 : 1
