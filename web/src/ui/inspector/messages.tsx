import {useRef} from 'preact/hooks';
import type {Component, Message} from '../../api/types.ts';
import {commandOrNotice} from '../../live/commands.ts';
import {notify} from '../../live/notices.ts';
import {Section} from './section.tsx';

export function Messages({component, disabled}: {component: Component; disabled: boolean}) {
  return (
    <Section title="Messages">
      <div class="messages">
        {component.messages.map((message) => (
          <MessageButton key={message.name} path={component.path} message={message} disabled={disabled} />
        ))}
      </div>
    </Section>
  );
}

function MessageButton({path, message, disabled}: {path: string; message: Message; disabled: boolean; key?: string}) {
  const input = useRef<HTMLInputElement>(null);
  const send = async () => {
    const text = input.current?.value.trim() ?? '';
    if (await commandOrNotice(`message ${path} ${message.name}${text && ` ${text}`}`))
      notify('info', `${path} ${message.name} was sent.`);
  };
  return (
    <span class="message" title={message.text}>
      <button onClick={send} disabled={disabled}>
        {message.name}
      </button>
      {message.has_text && (
        <input
          ref={input}
          aria-label={`Text of ${message.name}`}
          onKeyDown={(event) => {
            if (event.key === 'Enter') void send();
          }}
        />
      )}
    </span>
  );
}
