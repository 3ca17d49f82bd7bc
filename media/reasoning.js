// The page of the reasoning view. It only shows what it is sent; texts of the model are set as text and never as markup.
(() => {
  const editor = acquireVsCodeApi();
  const element = (id) => document.getElementById(id);
  const STAGES = { write: 'Write', extract: 'Extract', interface: 'Interface', parse: 'Parse', compile: 'Compile', verify: 'Verify' };
  const STATES = { started: 'in progress', passed: 'passed', failed: 'failed' };
  const replies = new Map();
  let run;
  let timer;

  const setText = (node, text) => {
    if (node.textContent !== text) node.textContent = text;
  };
  const make = (name, className, parent) => {
    const node = document.createElement(name);
    node.className = className;
    parent.append(node);
    return node;
  };

  function section(parent, className, title, open) {
    const details = make('details', '', parent);
    details.open = open;
    details.hidden = true;
    make('summary', '', details).textContent = title;
    const text = make('pre', className, details);
    text.tabIndex = 0;
    text.setAttribute('aria-label', title);
    return { details, text };
  }

  const orderOf = (key) => key.split('.').reduce((sum, number) => sum * 1000 + Number(number), 0);

  function replyFor(key) {
    const known = replies.get(key);
    if (known) return known;
    const root = make('section', 'reply', element('replies'));
    const next = [...replies].filter(([other]) => orderOf(other) > orderOf(key)).sort(([a], [b]) => orderOf(a) - orderOf(b))[0];
    if (next) next[1].root.before(root);
    const line = make('div', 'line', root);
    const name = make('span', 'name', line);
    const list = make('ol', 'stages', line);
    const stages = Object.fromEntries(Object.entries(STAGES).map(([stage, title]) => {
      const item = make('li', '', list);
      item.textContent = title;
      return [stage, item];
    }));
    const speed = make('span', 'speed', line);
    const reason = make('p', 'reason', root);
    const made = { root, name, stages, speed, reason, reasoning: section(root, 'reasoning', 'Reasoning', true), answer: section(root, 'answer', 'Answer', false) };
    replies.set(key, made);
    return made;
  }

  function append({ key, kind, text }) {
    const { text: target, details } = replyFor(key)[kind];
    details.hidden = false;
    const atEnd = target.scrollHeight - target.scrollTop - target.clientHeight < 24;
    target.append(text);
    if (atEnd) target.scrollTop = target.scrollHeight;
  }

  function seconds() {
    return Math.max(0, ((run.endedAt ?? Date.now()) - run.startedAt) / 1000);
  }

  function tick() {
    const tokens = run.replies.reduce((sum, reply) => sum + reply.tokens, 0);
    const rate = run.replies.reduce((sum, reply) => sum + (reply.stages.write === 'started' ? reply.tokensPerSecond : 0), 0);
    const time = seconds();
    const facts = [
      { running: 'Running', done: 'Done', failed: 'Nothing came of it', stopped: 'Stopped' }[run.phase],
      `${time < 10 && run.phase !== 'running' ? time.toFixed(1) : Math.round(time)} s`,
      ...(tokens > 0 ? [`${tokens.toLocaleString('en-US')} tokens`] : []),
      ...(rate > 0 ? [`${Math.round(rate)} tokens/s`] : []),
      ...(run.model ? [run.model] : []),
    ];
    setText(element('facts'), facts.join(' · '));
  }

  function renderReply(reply) {
    const parts = replyFor(reply.key);
    setText(parts.name, reply.round === 0 ? `Sample ${reply.sample + 1}` : `Sample ${reply.sample + 1}, repair ${reply.round}`);
    for (const [stage, item] of Object.entries(parts.stages)) {
      const state = reply.stages[stage];
      item.className = state ?? '';
      item.setAttribute('aria-label', state ? `${STAGES[stage]}: ${STATES[state]}` : STAGES[stage]);
    }
    setText(parts.speed, reply.tokens > 0 ? `${reply.tokens.toLocaleString('en-US')} tokens, ${Math.round(reply.tokensPerSecond)}/s` : '');
    setText(parts.reason, reply.reason ?? '');
    parts.reason.hidden = !reply.reason;
  }

  function render() {
    const running = run.phase === 'running';
    element('empty').hidden = true;
    element('actions').hidden = !running;
    setText(element('title'), run.title);
    setText(element('note'), run.note ?? '');
    element('note').className = run.phase === 'failed' ? 'failed' : '';
    element('candidates').replaceChildren(...run.candidates.map((confidence) => {
      const item = document.createElement('li');
      item.textContent = confidence;
      return item;
    }));
    for (const reply of run.replies) renderReply(reply);
    const last = run.replies.at(-1);
    element('answer-now').disabled = !last || last.stages.write !== 'started' || last.answered;
    tick();
    clearInterval(timer);
    if (running) timer = setInterval(tick, 500);
  }

  element('stop').addEventListener('click', () => editor.postMessage('stop'));
  element('answer-now').addEventListener('click', () => editor.postMessage('answer-now'));
  element('actions').hidden = true;
  window.addEventListener('message', ({ data }) => {
    if (data.whole) {
      replies.clear();
      element('replies').replaceChildren();
    }
    run = data.run;
    for (const text of data.texts) append(text);
    render();
  });
  editor.postMessage('ready');
})();
