// A form of MUI; `window.order` is what was entered.
import React, {useState} from 'react';
import {createRoot} from 'react-dom/client';
import {
  Autocomplete, Button, Dialog, DialogActions, DialogContent, DialogTitle, FormControl, FormControlLabel, InputLabel,
  Menu, MenuItem, Rating, Select, Slider, Switch, TextField, ThemeProvider, createTheme,
} from '@mui/material';

const CITIES = ['Aachen', 'Berlin', 'Bonn', 'Bremen', 'Dresden', 'Hamburg', 'Jena', 'Leipzig', 'Mainz', 'Ulm'];

function Choice({label, values, ...rest}) {
  return <FormControl fullWidth margin="normal">
    <InputLabel id={label}>{label}</InputLabel>
    <Select labelId={label} label={label} {...rest}>
      {values.map(each => <MenuItem key={each} value={each}>{each}</MenuItem>)}
    </Select>
  </FormControl>;
}

function Order() {
  const [order, set] = useState({size: '', city: null, tags: [], amount: 3, news: false, stars: 2});
  const [menu, openMenu] = useState(null), [asks, ask] = useState(false);
  const put = part => set(old => ({...old, ...part}));
  window.order = order;
  return <ThemeProvider theme={createTheme({typography: {button: {textTransform: 'none'}}})}><div style={{padding: 20, width: 500}}>
    <Choice label="Size" values={['Small', 'Medium', 'Large']} value={order.size}
      onChange={event => put({size: event.target.value})}/>
    <Autocomplete options={CITIES} value={order.city} onChange={(_, city) => put({city})}
      renderInput={rest => <TextField {...rest} label="City"/>}/>
    <Choice label="Tags" values={['Fragile', 'Gift', 'Heavy', 'Cold']} multiple value={order.tags}
      onChange={event => put({tags: event.target.value})}/>
    <Slider aria-label="Amount" min={1} max={20} value={order.amount} onChange={(_, amount) => put({amount})}/>
    <FormControlLabel label="Newsletter"
      control={<Switch checked={order.news} onChange={event => put({news: event.target.checked})}/>}/>
    <Rating name="stars" value={order.stars} onChange={(_, stars) => put({stars})}/>
    <Button onClick={event => openMenu(event.currentTarget)}>More</Button>
    <Menu anchorEl={menu} open={menu !== null} onClose={() => openMenu(null)}>
      {['Duplicate', 'Archive'].map(each =>
        <MenuItem key={each} onClick={() => { openMenu(null); put({picked: each}); }}>{each}</MenuItem>)}
    </Menu>
    <Button onClick={() => ask(true)}>Order now</Button>
    <Dialog open={asks} onClose={() => ask(false)}>
      <DialogTitle>Place the order?</DialogTitle>
      <DialogContent>It cannot be undone.</DialogContent>
      <DialogActions>
        <Button onClick={() => ask(false)}>Back</Button>
        <Button onClick={() => { ask(false); put({placed: true}); }}>Place it</Button>
      </DialogActions>
    </Dialog>
  </div></ThemeProvider>;
}

createRoot(document.getElementById('root')).render(<Order/>);
