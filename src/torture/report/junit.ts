// The result as JUnit XML: a test case for the scenario without faults, and one for each finding.
import { describePlan } from '../plan/fault-plan.ts'
import type { Scenario } from '../scenario.ts'
import type { TortureResult } from '../torture.ts'
import { storyOf } from './story.ts'

export function junitReport({ bugs, undisturbed, plans, durationMs }: TortureResult, { run }: Scenario): string {
  const cases = [
    testCase('without faults', undisturbed.length === 0 ? undefined : { message: undisturbed[0]!, text: undisturbed.join('\n') }),
    ...bugs.map((bug) => testCase(describePlan(bug.plan), { message: bug.finding.text, text: storyOf(bug).join('\n') })),
    ...(bugs.length === 0 ? [testCase(`${plans} plans with faults`, undefined)] : []),
  ]
  const failures = bugs.length + (undisturbed.length > 0 ? 1 : 0)
  const suite = `<testsuite name="${escapeText(run)}" tests="${cases.length}" failures="${failures}" time="${(durationMs / 1000).toFixed(3)}">`
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${suite}\n${cases.join('\n')}\n</testsuite>\n</testsuites>\n`
}

function testCase(name: string, failure: { readonly message: string; readonly text: string } | undefined): string {
  const head = `<testcase classname="rollcall torture" name="${escapeText(name)}"`
  if (failure === undefined) return `${head}/>`
  return `${head}>\n<failure message="${escapeText(failure.message)}">${escapeText(failure.text)}</failure>\n</testcase>`
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Characters that XML cannot contain are replaced. */
const escapeText = (text: string) => text.replace(/[&<>"]/g, (one) => entities[one]!).replace(/[^\t\n\r\x20-\ud7ff\ue000-\ufffd]/g, '?')
