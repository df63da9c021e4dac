// The report: one HTML file that needs nothing else.
import { describePlan } from '../plan/fault-plan.ts'
import { describeStep, type Scenario } from '../scenario.ts'
import type { Bug, TortureResult } from '../torture.ts'
import { type StoryLine, storyLines } from './story.ts'

const style = `
:root { color-scheme: light dark; --line: #8884; --fault: #c33; --program: #06c; --soft: #777 }
@media (prefers-color-scheme: dark) { :root { --fault: #f77; --program: #6af; --soft: #999 } }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 1100px; margin: 2em auto; padding: 0 1em }
h1 { font-size: 1.5em } h2 { font-size: 1.15em; margin-top: 2.5em }
code, td { font-family: ui-monospace, monospace; font-size: 13px }
table { border-collapse: collapse; width: 100%; table-layout: fixed }
td, th { border-top: 1px solid var(--line); padding: .25em .6em; text-align: left; vertical-align: top; overflow-wrap: anywhere }
th { font-weight: 600; font-size: 13px } .time { width: 6.5em; color: var(--soft) }
.fault { color: var(--fault) } .program { color: var(--program) } .soft { color: var(--soft) }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1em 1em } dt { color: var(--soft) } dd { margin: 0 }
pre { background: #8881; padding: .6em; overflow-x: auto }
`

const columns = [
  ['fault', 'Done to the program'],
  ['program', 'Written by the program'],
  ['cluster', 'True in the cluster'],
] as const

export function reportPage(result: TortureResult, scenario: Scenario): string {
  const { bugs, plans, effective, singles, durationMs, undisturbed, baseline, pace } = result
  const writes = baseline.requests.filter(({ change }) => change !== undefined).length
  const title = bugs.length === 0 ? 'No finding' : `${bugs.length} ${bugs.length === 1 ? 'finding' : 'findings'}`
  const facts = [
    ['program', `<code>${escapeText(scenario.run)}</code>`],
    ['steps', scenario.steps.map((step, i) => `${i + 1}. <code>${escapeText(describeStep(step))}</code>`).join('<br>')],
    ['without faults', `${writes} writes, ${baseline.watched.size} kinds watched; quiet after ${pace.quietMs} ms`],
    [
      'plans',
      `${plans} in ${Math.round(durationMs / 1000)} s, of which ${effective} had an effect; ${singles} plans with one fault are possible`,
    ],
  ]
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>rollcall torture: ${title}</title>
<style>${style}</style></head><body>
<h1>rollcall torture: ${title}</h1>
<dl>${facts.map(([name, text]) => `<dt>${name}</dt><dd>${text}</dd>`).join('\n')}</dl>
${undisturbed.map((text) => `<p class="fault">Without faults: ${escapeText(text)}</p>`).join('\n')}
${bugs.map(section).join('\n')}
</body></html>
`
}

function section(bug: Bug, index: number): string {
  const { finding, also, plan, plans, repeats, trace } = bug
  const facts = [
    ['fault', escapeText(describePlan(plan))],
    ['seen', `in ${plans} ${plans === 1 ? 'plan' : 'plans'}; in ${repeats.shown} of ${repeats.of} repetitions`],
    ...also.map(({ text }) => ['also', escapeText(text)] as const),
  ]
  const rows = storyLines(bug).map(row).join('\n')
  return `<h2>${index + 1}. ${escapeText(finding.text)}</h2>
<dl>${facts.map(([name, text]) => `<dt>${name}</dt><dd>${text}</dd>`).join('\n')}</dl>
<table><thead><tr><th class="time">s</th>${columns.map(([, head]) => `<th>${head}</th>`).join('')}</tr></thead>
<tbody>
${rows}
</tbody></table>
${trace.output === '' ? '' : `<details><summary>Last output of the program</summary><pre>${escapeText(trace.output)}</pre></details>`}`
}

function row({ atMs, by, text }: StoryLine): string {
  const cells = columns.map(([name]) => (name === by ? `<td class="${name}">${escapeText(text)}</td>` : '<td></td>'))
  return `<tr><td class="time">${(atMs / 1000).toFixed(3)}</td>${cells.join('')}</tr>`
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escapeText = (text: string) => text.replace(/[&<>"]/g, (one) => entities[one]!)
