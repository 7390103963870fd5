// The whiteboard Excalidraw; `window.board` is its interface.
import React from 'react';
import {createRoot} from 'react-dom/client';
import {Excalidraw} from '@excalidraw/excalidraw';
import '@excalidraw/excalidraw/index.css';

createRoot(document.getElementById('root')).render(
  <div style={{height: '95vh'}}><Excalidraw excalidrawAPI={board => { window.board = board; }}/></div>);
