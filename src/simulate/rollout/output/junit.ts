// JUnit's XML, as CI systems read it: a suite for each policy or combination of settings, a case for each expectation. Pure.
import { asksForCompletion, type Expectation } from '../expectations.ts'
import type { Plan } from '../plan.ts'
import { completes, ends, type SimulationResult } from '../result.ts'

export function renderJunit(
  plan: Pick<Plan, 'expectations'>,
  { title, outcomes }: Pick<SimulationResult, 'title' | 'outcomes'>,
  seconds: number,
): string {
  const suites = outcomes.map(({ policy, label: suite = policy, failures }) => {
    const expectations = plan.expectations.filter((one) => one.policy === undefined || one.policy === policy)
    const cases = expectations.map((one) => ({
      name: one.text,
      file: fileOf(one),
      failure: failures.find((line) => line.startsWith(`${one.text}: `)),
    }))
    const incomplete = failures.find((line) => line.startsWith(`${completes}: `))
    const unended = failures.find((line) => line.startsWith(`${ends}: `))
    const others = failures.filter((line) => line !== incomplete && line !== unended && !cases.some(({ failure }) => failure === line))
    const all = [
      ...(asksForCompletion(expectations) ? [] : [{ name: completes, file: undefined, failure: incomplete }]),
      ...(unended === undefined ? [] : [{ name: ends, file: undefined, failure: unended }]),
      ...cases,
      ...others.map((line) => ({ name: line, file: undefined, failure: line })),
    ]
    const failed = all.filter(({ failure }) => failure !== undefined).length
    const lines = all.map(({ name, file, failure }) => {
      const head = `    <testcase name="${escapeXml(name)}" classname="${escapeXml(`${title}.${suite}`)}" time="0"${file === undefined ? '' : ` file="${escapeXml(file)}"`}`
      return failure === undefined
        ? `${head}/>`
        : `${head}>\n      <failure message="${escapeXml(failure)}" type="expectation">${escapeXml(failure)}</failure>\n    </testcase>`
    })
    return {
      tests: all.length,
      failed,
      text: `  <testsuite name="${escapeXml(suite)}" tests="${all.length}" failures="${failed}" errors="0" skipped="0" time="0">\n${lines.join('\n')}\n  </testsuite>`,
    }
  })
  const sum = (read: (suite: (typeof suites)[number]) => number) => suites.reduce((total, suite) => total + read(suite), 0)
  return `<?xml version="1.0" encoding="UTF-8"?>
<!-- rollcall.junit/1 -->
<testsuites name="${escapeXml(title)}" tests="${sum(({ tests }) => tests)}" failures="${sum(({ failed }) => failed)}" errors="0" time="${seconds.toFixed(3)}">
${suites.map(({ text }) => text).join('\n')}
</testsuites>
`
}

const fileOf = ({ place }: Expectation) => place?.source

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '\n': '&#10;',
  '\t': '&#9;',
  '\r': '&#13;',
}

/** XML has no way to write most control characters: they are left out. */
const escapeXml = (text: string) =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be written.
  text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '').replace(/[&<>"'\n\t\r]/g, (char) => entities[char]!)
