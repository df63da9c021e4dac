// A report is one HTML file that loads nothing. The text is rendered here; the script of the page draws the charts from the data
// in the file.

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { getOrAdd } from '../../base/maps.ts'
import { missedEnd } from '../rollout/outcome-end.ts'
import { completes, ends, type Outcome, type SimulationResult } from '../rollout/result.ts'
import { renderComparison, renderPercentiles } from './comparison.ts'
import { escapeHtml, escapeJson } from './escape.ts'
import { formatNumber } from './format.ts'
import { nameOf, policyTexts } from './measure-rows.ts'
import { packResult } from './packed.ts'
import { type Card, cardTitle, sharedCards } from './shared-cards.ts'

export function renderReport(result: SimulationResult): string {
  const style = readPageFile('report-page-style.css')
  const script = readPageFile('report-page.js')
  const { title, outcomes, change = [] } = result
  // Nothing may be loaded, and nothing runs but this script: not even what a manifest might bring in.
  const policy = `default-src 'none'; style-src '${hashOf(style)}'; script-src '${hashOf(script)}'; base-uri 'none'; form-action 'none'`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="generator" content="Rollcall${result.version === undefined ? '' : ` ${escapeHtml(result.version)}`}">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} · Rollcall</title>
<style>${style}</style>
</head>
<body>
<div class="page">
<header>
<div>
<p class="kicker">Rollcall</p>
<h1>${escapeHtml(title)}</h1>
${change.length === 0 ? '' : `<p class="change">${escapeHtml(change.join(', '))}</p>`}
<p class="subtitle">${escapeHtml(subtitleOf(result))}</p>
</div>
<div class="themes" role="group" aria-label="Colours">
<button type="button" data-theme-choice="system" aria-pressed="true">System</button><button type="button" data-theme-choice="light" aria-pressed="false">Light</button><button type="button" data-theme-choice="dark" aria-pressed="false">Dark</button>
</div>
</header>
<main>
${result.advice === undefined ? '' : `<p class="advice"><b>Advice.</b> ${escapeHtml(result.advice)}</p>`}
${result.how === undefined ? '' : `<pre class="how">${escapeHtml(result.how.join('\n'))}</pre>`}
${renderFailures(outcomes)}
${renderComparison(result)}
${renderPercentiles(result)}
<h2>${outcomes.length > 1 ? 'Pods and nodes over time' : 'Over time'}</h2>
<p class="without-script">The charts are drawn by a script that is part of this file.</p>
<div class="runs${sharedCards(outcomes).length > 1 ? ' many' : ''}">
${sharedCards(outcomes).map(renderOutcome).join('\n')}
</div>
${renderOrigin(result)}
</main>
<footer>${escapeHtml(madeBy(result))} This file holds everything that it shows, and loads nothing.</footer>
</div>
<script type="application/json" id="data">${escapeJson(packResult(result))}</script>
<script>${script}</script>
</body>
</html>
`
}

function subtitleOf({ outcomes, runs, seed }: SimulationResult): string {
  // What has a name of its own was recorded: no seed makes it again.
  const isRecorded = outcomes.every(({ label }) => label !== undefined)
  const parts = [
    outcomes.length > 1 ? `${outcomes.length} ${isRecorded ? 'runs' : 'policies'} compared` : '',
    isRecorded ? '' : runs > 1 ? `${formatNumber(runs)} seeds from ${seed} on; the charts show the first` : `seed ${seed}`,
  ]
  return parts.filter((part) => part !== '').join(' · ')
}

function renderFailures(outcomes: readonly Outcome[]): string {
  // Policies that fail alike share a line; why a rollout does not complete stands with its chart.
  const names = new Map<string, string[]>()
  for (const outcome of outcomes)
    for (const failure of outcome.failures) {
      const isLong = [completes, ends].some((name) => failure.startsWith(`${name}: `))
      const short = isLong ? failure.split('; ', 1)[0]! : failure
      getOrAdd(names, short, () => []).push(nameOf(outcome))
    }
  if (names.size === 0) return ''
  const lines = [...names].map(([failure, own]) => `<li>${escapeHtml(`${own.join(', ')}: ${failure}`)}</li>`)
  return `<div class="failed"><b>${lines.length === 1 ? 'An expectation was not met.' : `${lines.length} expectations were not met.`}</b><ul>${lines.join('')}</ul></div>`
}

function renderOutcome({ outcome, index, names }: Card): string {
  const { label, policy } = outcome
  const own = label === undefined ? policyTexts[policy].about : policy === 'None' ? '' : policyTexts[policy].name
  const about = names.length > 1 ? 'The same under each of these' : own
  return `<section class="card outcome" data-outcome="${index}">
<div class="outcome-head"><h3>${escapeHtml(cardTitle(names))}</h3><p class="about">${escapeHtml(about)}</p>
<p class="state">${badgeOf(outcome)}</p></div>
${renderStuck(outcome)}<div class="run"></div>
</section>`
}

/** What does not complete is never shown as kept. */
function badgeOf(outcome: Outcome): string {
  const { measures, stuck } = outcome
  const over = measures.peakOverCap > 0 ? `${formatNumber(measures.peakOverCap)} over the cap` : ''
  if (stuck !== undefined)
    return `<span class="badge over">${[`does not ${missedEnd(outcome)}`, over].filter((part) => part !== '').join(', ')}</span>`
  // A recording may have ended before the rollout did.
  if (measures.completeAfterMs === undefined) return `<span class="badge over">${over || 'not complete'}</span>`
  return `<span class="badge ${over === '' ? 'within' : 'over'}">${over || 'within the cap'}</span>`
}

function renderStuck({ stuck }: Outcome): string {
  if (stuck === undefined) return ''
  const [what = '', ...reasons] = stuck
  return `<div class="failed stuck"><b>${escapeHtml(what)}.</b><ul>${reasons.map((line) => `<li>${escapeHtml(line)}</li>`).join('')}</ul></div>
`
}

function madeBy({ version, createdAt }: SimulationResult): string {
  const when = createdAt === undefined ? '' : ` on ${createdAt.slice(0, 10)} at ${createdAt.slice(11, 16)} UTC`
  return `Made by Rollcall${version === undefined ? '' : ` ${version}`}${when}.`
}

function renderOrigin({ command, sources, assumptions = [], approximations = [], ignored = [] }: SimulationResult): string {
  const list = (heading: string, lines: readonly string[]) =>
    lines.length === 0
      ? ''
      : `<p class="list-head">${heading}</p><ul class="assumed">${lines.map((line) => `<li>${escapeHtml(line)}</li>`).join('')}</ul>\n`
  const source = (name: string, text: string, index: number) => `<details class="printed"><summary>${escapeHtml(name)}</summary>
<div class="source"><pre id="source-${index}">${escapeHtml(text)}</pre><button type="button" data-copies="source-${index}">Copy</button></div></details>`
  return `<h2>How this was made</h2>
<div class="card made">
${list('Assumed', assumptions)}${list('Approximated', approximations)}${list('Left out: they play no part here, or a controller makes them', ignored)}<div class="source command"><pre id="command">${escapeHtml(command)}</pre><button type="button" data-copies="command">Copy</button></div>
${sources.map(({ name, text }, index) => source(name, text, index)).join('\n')}
</div>`
}

const hashOf = (text: string) => `sha256-${createHash('sha256').update(text).digest('base64')}`

/** The places of the page's files: beside the built program, and as seen from the sources. */
const places = ['./', '../../../dist/']

function readPageFile(name: string): string {
  for (const place of places) {
    try {
      return readFileSync(new URL(place + name, import.meta.url), 'utf8')
    } catch {
      // Not built there.
    }
  }
  throw new Error(`Cannot find ${name}: build the project first`)
}
